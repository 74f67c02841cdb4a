import { replaySwitches, startFocus } from '@deeb/core/focus/api'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { removeTokens, storeTokens } from '../../testing/stored-tokens.ts'
import { amendPendingOn } from './amend-pending.ts'
import { sendNext } from './send-next.ts'
import { discardPending, enqueue, pendingOf, reloadQueue } from './switch-queue.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await discardPending('mara')
  removeTokens()
  for (const toast of document.querySelectorAll('.toasts [role] > *')) toast.remove()
})

test('a batch contains ons together with the off that ends them, however many changes are pending', async () => {
  storeTokens('mara')
  const batches: string[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (path, init) => {
    expect(path).toBe(replaySwitches.path)
    const { changes } = JSON.parse(String(init?.body)) as { changes: { to: string }[] }
    batches.push(`${changes.length} to ${changes.at(-1)?.to}`)
    return Response.json({ openSession: null, refused: [], serverTime: '2026-06-15T09:00:00.000Z' })
  })
  const press = (to: 'on' | 'off', sessionId: string) =>
    enqueue({ userId: 'mara', to, sessionId, timeZone: 'Europe/Berlin', actedAt: Date.now() })
  for (let n = 0; n < 29; n++) {
    await press('on', `${n}`)
    await press('off', `${n}`)
  }
  // Two ons without an off, as after a start on another device.
  await press('on', 'a')
  await press('on', 'b')
  await press('off', 'b')
  expect([await sendNext('mara'), await sendNext('mara'), await sendNext('mara')]).toEqual(['sent', 'sent', 'nothing'])
  expect(batches).toEqual(['58 to off', '3 to off'])
})

const press = (to: 'on' | 'off', sessionId: string) =>
  enqueue({ userId: 'mara', to, sessionId, timeZone: 'Europe/Berlin', actedAt: Date.now() })

/** Every response is this one. Returns the spy, which counts the requests. */
function serverAnswers(answer: () => Response) {
  return vi.spyOn(window, 'fetch').mockImplementation(async () => answer())
}

const tooMany = () =>
  Response.json(
    { code: 'too_many_attempts', message: '', requestId: '' },
    { status: 429, headers: { 'retry-after': '1' } },
  )

test('threat 87: a rate-limited switch stays pending and is sent later, without a toast', async () => {
  storeTokens('mara')
  const asked = serverAnswers(tooMany)
  await press('on', 'a')
  expect(await sendNext('mara')).toBe('later')
  await press('off', 'a')
  expect(await sendNext('mara')).toBe('later')
  expect(pendingOf('mara')).toHaveLength(2)
  await import('../../ui/toast.ts')
  expect(document.querySelector('.toasts')?.textContent).toBe('')

  asked.mockImplementation(async () =>
    Response.json({ openSession: null, refused: [], serverTime: '2026-06-15T09:00:00.000Z' }),
  )
  expect(await sendNext('mara')).toBe('sent')
  expect(pendingOf('mara')).toEqual([])
})

const AT_MOST = 'A day has at most 300 sessions. Start again on the next day.'

test('threat 87: a start past 300 sessions a day is dropped with a toast', async () => {
  storeTokens('mara')
  const asked = serverAnswers(() =>
    Response.json({ code: 'too_many_sessions', message: '', requestId: '' }, { status: 409 }),
  )
  await press('on', 'b')
  expect(await sendNext('mara')).toBe('sent')
  expect(String(asked.mock.calls[0]?.[0])).toBe(startFocus.path)
  expect(pendingOf('mara')).toEqual([])
  await expect.poll(() => document.querySelector('.toasts')?.textContent).toContain(AT_MOST)
})

test('threat 87: a replay drops only the surplus, with the same toast', async () => {
  storeTokens('mara')
  const refused = [{ sessionId: '01890a5d-ac96-774b-bcce-b302099a8057', to: 'on', code: 'too_many_sessions' }]
  serverAnswers(() => Response.json({ openSession: null, refused, serverTime: '2026-06-15T09:00:00.000Z' }))
  await press('on', '01890a5d-ac96-774b-bcce-b302099a8057')
  await press('off', '01890a5d-ac96-774b-bcce-b302099a8057')
  expect(await sendNext('mara')).toBe('sent')
  await expect.poll(() => document.querySelector('.toasts')?.textContent).toContain(AT_MOST)
})

describe('a target', () => {
  const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
  const started = () =>
    Response.json({ session: { id: ID, startedAt: NOON, endedAt: null, targetMinutes: 50 }, serverTime: NOON })
  const NOON = '2026-06-15T12:00:00.000Z'
  const targets = (calls: readonly [unknown, (RequestInit | undefined)?][]) =>
    calls.map(([, init]) => JSON.parse(String(init?.body)).targetMinutes)

  test('is sent with the start if it was chosen before, also after a reload of the queue', async () => {
    storeTokens('mara')
    const asked = serverAnswers(started)
    await press('on', ID)
    expect(await amendPendingOn('mara', ID, 25)).toBe(true)
    expect(await amendPendingOn('mara', ID, 50)).toBe(true)
    await reloadQueue()
    expect(pendingOf('mara')).toMatchObject([{ to: 'on', sessionId: ID, targetMinutes: 50 }])
    expect(await sendNext('mara')).toBe('sent')
    expect(targets(asked.mock.calls)).toEqual([50])
    expect(await amendPendingOn('mara', ID, 90)).toBe(false)
  })

  test('goes with the other changes of a batch, and a change of an older version has none', async () => {
    storeTokens('mara')
    const asked = serverAnswers(() => Response.json({ openSession: null, refused: [], serverTime: NOON }))
    await press('on', 'a')
    await press('off', 'a')
    await press('on', ID)
    await amendPendingOn('mara', ID, 50)
    expect(await sendNext('mara')).toBe('sent')
    const { changes } = JSON.parse(String(asked.mock.calls[0]?.[1]?.body)) as { changes: { targetMinutes?: number }[] }
    expect(changes.map(({ targetMinutes }) => targetMinutes)).toEqual([undefined, undefined, 50])
    expect(changes[0]).not.toHaveProperty('targetMinutes')
  })

  test.each(['with', 'without'])(
    'that is chosen while the start is being sent waits for the answer, %s locks',
    async (locks) => {
      storeTokens('mara')
      if (locks === 'without') vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as unknown as LockManager)
      let answer = (_: Response) => {}
      const asked = vi.spyOn(window, 'fetch').mockReturnValue(
        new Promise((resolve) => {
          answer = resolve
        }),
      )
      await press('on', ID)
      const sent = sendNext('mara')
      await expect.poll(() => asked.mock.calls.length).toBe(1)
      const amended = amendPendingOn('mara', ID, 50)
      answer(started())
      expect([await sent, await amended]).toEqual(['sent', false])
      expect(pendingOf('mara')).toEqual([])
    },
  )
})
