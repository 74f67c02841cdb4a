import { replaySwitches } from '@deeb/core/focus/api'
import { afterEach, expect, test, vi } from 'vitest'
import { dropTokens, keepTokens } from '../../testing/kept-tokens.ts'
import { sendNext } from './send-next.ts'
import { enqueue } from './switch-queue.ts'

afterEach(() => {
  vi.restoreAllMocks()
  dropTokens()
})

test('ons are told with the off that ends them, however many changes wait', async () => {
  keepTokens('mara')
  const letters: string[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (path, init) => {
    expect(path).toBe(replaySwitches.path)
    const { changes } = JSON.parse(String(init?.body)) as { changes: { to: string }[] }
    letters.push(`${changes.length} to ${changes.at(-1)?.to}`)
    return Response.json({ openSession: null, refused: [], serverTime: '2026-06-15T09:00:00.000Z' })
  })
  const press = (to: 'on' | 'off', sessionId: string) =>
    enqueue({ userId: 'mara', to, sessionId, timeZone: 'Europe/Berlin', actedAt: Date.now() })
  for (let n = 0; n < 29; n++) {
    await press('on', `${n}`)
    await press('off', `${n}`)
  }
  // As a device has them that did not see the first.
  await press('on', 'a')
  await press('on', 'b')
  await press('off', 'b')
  expect([await sendNext('mara'), await sendNext('mara'), await sendNext('mara')]).toEqual(['sent', 'sent', 'nothing'])
  expect(letters).toEqual(['58 to off', '3 to off'])
})
