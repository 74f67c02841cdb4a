import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { WEBHOOKS_HERE } from '../testing/webhook-receiver.ts'
import { addWebhook, deliverWebhooks } from '../testing/webhooks.ts'

const timeZone = 'Europe/Berlin'

const test = base
  .extend('settings', { scope: 'file' }, WEBHOOKS_HERE)
  .extend('webhooks', ({ app, clock, receiver }) => {
    const setClock = (time: string) => clock.set(at(time))
    const nowText = () => clock.now().toISOString()
    const startNow = (sessionId: string) =>
      app.call(startFocus, { sessionId, timeZone, times: { actedAt: nowText(), sentAt: nowText() } }, ann)
    const stopAt = (sessionId: string, actedAt: string) =>
      app.call(stopFocus, { sessionId, times: { actedAt: at(actedAt), sentAt: nowText() } }, ann)
    /** Replays `+09:00 -10:00`: a start and a stop of the same new session, and so on. */
    async function replay(text: string, ids: string[] = []): Promise<void> {
      let id = ''
      const changes = text.split(' ').map((change) => {
        const actedAt = at(change.slice(1))
        if (change.startsWith('-')) return { to: 'off' as const, sessionId: ids.shift() ?? id, actedAt }
        id = ids.shift() ?? uuidv7()
        return { to: 'on' as const, sessionId: id, timeZone, actedAt }
      })
      expect((await app.call(replaySwitches, { sentAt: nowText(), changes }, ann)).status).toBe(200)
    }
    /** Delivers the messages. Returns them as `+09:00` and `-10:00`; `!` marks late ones, `*` that deeb mode is on now. */
    async function arrived(): Promise<string> {
      await deliverWebhooks(app)
      const texts = receiver.received.map(({ type, data }) => {
        const { startedAt, endedAt, isLate, isOn } = data as Record<'startedAt' | 'endedAt', string> &
          Record<'isLate' | 'isOn', boolean>
        const change = type === 'focus.started' ? `+${startedAt.slice(11, 16)}` : `-${endedAt.slice(11, 16)}`
        return `${change}${isLate ? '!' : ''}${isOn ? '*' : ''}`
      })
      receiver.received.length = 0
      return texts.join(' ')
    }
    return { setClock, nowText, startNow, stopAt, replay, arrived }
  })

let ann: MadeUser
test.beforeEach(async ({ app, receiver, webhooks }) => {
  webhooks.setClock('06:00')
  ann = await makeUser(app)
  await addWebhook(app, ann, receiver, ['focus.started', 'focus.ended'])
})

const at = (time: string) => `2026-06-15T${time}:00.000Z`

test('queued switches arrive in order, late, and say that deeb mode is off now', async ({ webhooks }) => {
  webhooks.setClock('12:00')
  await webhooks.replay('+09:00 -09:30 +10:00 -10:15')
  expect(await webhooks.arrived()).toBe('+09:00! -09:30! +10:00! -10:15!')
})

test('a queued session that still runs is not late', async ({ webhooks }) => {
  webhooks.setClock('12:00')
  await webhooks.replay('+09:00 -09:30 +11:00')
  expect(await webhooks.arrived()).toBe('+09:00!* -09:30!* +11:00*')
})

test('a replay that is repeated sends nothing again', async ({ webhooks }) => {
  webhooks.setClock('12:00')
  const ids = [uuidv7(), uuidv7()] as const
  for (const _ of [1, 2, 3]) await webhooks.replay('+09:00 -09:30', [ids[0], ids[0]])
  expect(await webhooks.arrived()).toBe('+09:00! -09:30!')
})

test('a replay that ends the open session sends its end once', async ({ webhooks }) => {
  const id = uuidv7()
  webhooks.setClock('09:00')
  await webhooks.startNow(id)
  expect(await webhooks.arrived()).toBe('+09:00*')
  webhooks.setClock('12:00')
  await webhooks.replay('-10:00 +11:00', [id])
  expect(await webhooks.arrived()).toBe('-10:00* +11:00*')
})

test('an earlier end that arrives for a forgotten session sends nothing: its end was sent', async ({
  app,
  clock,
  webhooks,
}) => {
  const id = uuidv7()
  webhooks.setClock('06:00')
  await webhooks.startNow(id)
  expect(await webhooks.arrived()).toBe('+06:00*')
  webhooks.setClock('22:30')
  await closeForgottenSessions(app.db, clock.now())
  expect(await webhooks.arrived()).toBe('-22:00')
  await webhooks.stopAt(id, '08:00')
  expect(await webhooks.arrived()).toBe('')
})

test('a late start and stop by plain calls arrive like queued ones', async ({ app, webhooks }) => {
  const id = uuidv7()
  webhooks.setClock('20:00')
  await app.call(
    startFocus,
    { sessionId: id, timeZone, times: { actedAt: at('09:00'), sentAt: webhooks.nowText() } },
    ann,
  )
  await webhooks.stopAt(id, '10:00')
  expect(await webhooks.arrived()).toBe('+09:00* -10:00')
})
