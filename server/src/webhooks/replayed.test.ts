import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { addWebhook, deliverWebhooks } from '../testing/webhook-bed.ts'
import { type Receiver, startReceiver, WEBHOOKS_HERE } from '../testing/webhook-receiver.ts'

const timeZone = 'Europe/Berlin'

let testApp: TestApp
let receiver: Receiver
let ann: MadeUser
beforeAll(async () => {
  testApp = await startTestApp(WEBHOOKS_HERE)
})
afterAll(() => testApp.close())
beforeEach(async () => {
  setClock('06:00')
  receiver = await startReceiver()
  ann = await makeUser(testApp)
  await addWebhook(testApp, ann, receiver, ['focus.started', 'focus.ended'])
})
afterEach(() => receiver.close())

const at = (time: string) => `2026-06-15T${time}:00.000Z`
const setClock = (time: string) => testApp.clock.set(at(time))
const nowText = () => testApp.clock.now().toISOString()
const startNow = (sessionId: string) =>
  testApp.call(startFocus, { sessionId, timeZone, times: { actedAt: nowText(), sentAt: nowText() } }, ann)
const stopAt = (sessionId: string, actedAt: string) =>
  testApp.call(stopFocus, { sessionId, times: { actedAt: at(actedAt), sentAt: nowText() } }, ann)

/** Replays `+09:00 -10:00`: a start and a stop of the same new session, and so on. */
async function replay(text: string, ids: string[] = []): Promise<void> {
  let id = ''
  const changes = text.split(' ').map((change) => {
    const actedAt = at(change.slice(1))
    if (change.startsWith('-')) return { to: 'off' as const, sessionId: ids.shift() ?? id, actedAt }
    id = ids.shift() ?? uuidv7()
    return { to: 'on' as const, sessionId: id, timeZone, actedAt }
  })
  expect((await testApp.call(replaySwitches, { sentAt: nowText(), changes }, ann)).status).toBe(200)
}

/** What arrived, as `+09:00` and `-10:00`; `!` marks late ones, `*` that deeb mode is on now. */
async function arrived(): Promise<string> {
  await deliverWebhooks(testApp)
  const texts = receiver.received.map(({ type, data }) => {
    const { startedAt, endedAt, isLate, isOn } = data as Record<'startedAt' | 'endedAt', string> &
      Record<'isLate' | 'isOn', boolean>
    const change = type === 'focus.started' ? `+${startedAt.slice(11, 16)}` : `-${endedAt.slice(11, 16)}`
    return `${change}${isLate ? '!' : ''}${isOn ? '*' : ''}`
  })
  receiver.received.length = 0
  return texts.join(' ')
}

test('queued switches arrive in order, late, and say that deeb mode is off now', async () => {
  setClock('12:00')
  await replay('+09:00 -09:30 +10:00 -10:15')
  expect(await arrived()).toBe('+09:00! -09:30! +10:00! -10:15!')
})

test('a queued session that still runs is not late', async () => {
  setClock('12:00')
  await replay('+09:00 -09:30 +11:00')
  expect(await arrived()).toBe('+09:00!* -09:30!* +11:00*')
})

test('a replay that is repeated sends nothing again', async () => {
  setClock('12:00')
  const ids = [uuidv7(), uuidv7()] as const
  for (const _ of [1, 2, 3]) await replay('+09:00 -09:30', [ids[0], ids[0]])
  expect(await arrived()).toBe('+09:00! -09:30!')
})

test('a replay that ends the open session sends its end once', async () => {
  const id = uuidv7()
  setClock('09:00')
  await startNow(id)
  expect(await arrived()).toBe('+09:00*')
  setClock('12:00')
  await replay('-10:00 +11:00', [id])
  expect(await arrived()).toBe('-10:00* +11:00*')
})

test('an earlier end that arrives for a forgotten session sends nothing: its end was sent', async () => {
  const id = uuidv7()
  setClock('06:00')
  await startNow(id)
  expect(await arrived()).toBe('+06:00*')
  setClock('22:30')
  await closeForgottenSessions(testApp.db, testApp.clock.now())
  expect(await arrived()).toBe('-22:00')
  await stopAt(id, '08:00')
  expect(await arrived()).toBe('')
})

test('a late start and stop by plain calls arrive like queued ones', async () => {
  const id = uuidv7()
  setClock('20:00')
  await testApp.call(startFocus, { sessionId: id, timeZone, times: { actedAt: at('09:00'), sentAt: nowText() } }, ann)
  await stopAt(id, '10:00')
  expect(await arrived()).toBe('+09:00* -10:00')
})
