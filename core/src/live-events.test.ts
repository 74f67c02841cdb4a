import * as v from 'valibot'
import { expect, test } from 'vitest'
import { HEARTBEAT_SECONDS, knownEvents, LIVE_PATH, LiveDelivery, MAX_DELIVERIES_PER_SECOND } from './live-events.ts'

test('a delivery accepts a list of known events and rejects everything else', () => {
  const session = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: '2026-06-15T09:00:00.000Z', endedAt: null }
  const hello = { type: 'hello', openSession: session, version: 7, serverTime: '2026-06-15T09:00:01.250Z' }
  expect(v.parse(LiveDelivery, [hello, { type: 'team-changed' }])).toHaveLength(2)
  expect(v.safeParse(LiveDelivery, [{ type: 'gossip' }]).success).toBe(false)
  expect(v.safeParse(LiveDelivery, [{ ...hello, version: 'newest' }]).success).toBe(false)
})

test('events of unknown types, which a newer server may send, are left out', () => {
  const known = { type: 'team-changed' }
  expect(knownEvents(JSON.stringify([{ type: 'gossip' }, known, null]))).toEqual([known])
  expect(knownEvents('{}')).toEqual([])
})

test('the stream has at most ten deliveries per second and a heartbeat within 25 seconds', () => {
  expect(MAX_DELIVERIES_PER_SECOND).toBeLessThanOrEqual(10)
  expect(HEARTBEAT_SECONDS).toBeLessThanOrEqual(25)
  expect(LIVE_PATH).toMatch(/^\/api\//)
})
