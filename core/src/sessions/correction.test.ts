import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CORRECTABLE_DAYS, correctionFault } from './correction.ts'

const at = (text: string) => new Date(text)
const now = at('2026-06-15T12:00:00.000Z')

/** The fault of a correction to these times. By default the start is moved back. */
const fault = (startedAt: string, endedAt: string, isMovedBack = true) =>
  correctionFault({ startedAt: at(startedAt), endedAt: at(endedAt), isMovedBack }, now)

describe('correctionFault', () => {
  it.each([
    ['accepts an hour of this morning', '2026-06-15T08:00:00Z', '2026-06-15T09:00:00Z', null],
    ['accepts one second', '2026-06-15T08:00:00Z', '2026-06-15T08:00:01Z', null],
    ['rejects an empty session', '2026-06-15T08:00:00Z', '2026-06-15T08:00:00Z', 'ends_before_start'],
    ['rejects an end before the start', '2026-06-15T08:00:00Z', '2026-06-15T07:00:00Z', 'ends_before_start'],
    ['accepts an end that is now', '2026-06-15T08:00:00Z', '2026-06-15T12:00:00Z', null],
    ['rejects an end in the future', '2026-06-15T08:00:00Z', '2026-06-15T12:00:01Z', 'ends_in_future'],
    ['accepts 16 hours', '2026-06-14T18:00:00Z', '2026-06-15T10:00:00Z', null],
    ['rejects 16 hours and a second', '2026-06-14T18:00:00Z', '2026-06-15T10:00:01Z', 'too_long'],
    ['accepts a start 7 days ago', '2026-06-08T12:00:00Z', '2026-06-08T13:00:00Z', null],
    ['rejects a start more than 7 days ago', '2026-06-08T11:59:59Z', '2026-06-08T13:00:00Z', 'starts_too_early'],
  ])('%s', (_, startedAt, endedAt, expected) => {
    expect(fault(startedAt, endedAt)).toBe(expected)
  })

  it('accepts a start of any age that is not moved back', () => {
    expect(fault('2026-05-01T08:00:00Z', '2026-05-01T09:00:00Z', false)).toBeNull()
    expect(fault('2026-05-01T08:00:00Z', '2026-05-01T09:00:00Z', true)).toBe('starts_too_early')
  })

  it('accepts exactly the possible times', () => {
    const second = fc.integer({ min: -9 * 24 * 3600, max: 3600 })
    fc.assert(
      fc.property(second, second, fc.boolean(), (start, end, isMovedBack) => {
        const startedAt = new Date(now.getTime() + start * 1000)
        const endedAt = new Date(now.getTime() + end * 1000)
        const isPossible =
          end > start &&
          end <= 0 &&
          end - start <= 16 * 3600 &&
          (!isMovedBack || start >= -CORRECTABLE_DAYS * 24 * 3600)
        expect(correctionFault({ startedAt, endedAt, isMovedBack }, now) === null).toBe(isPossible)
      }),
      { numRuns: 1000 },
    )
  })
})
