import { describe, expect, it } from 'vitest'
import type { StillOnCause } from './api.ts'
import { stillOnCause } from './still-on.ts'

const at = (time: string) => new Date(`2026-06-15T${time}:00Z`)

/** The cause in a session since 08:00. */
function cause(now: string, { lastTouch = '08:00', until = '', usualEnd = '', answers = [] as StillOnCause[] } = {}) {
  const times = { until: until ? at(until) : null, usualEndAt: usualEnd ? at(usualEnd) : null }
  return stillOnCause({ startedAt: at('08:00'), lastTouchAt: at(lastTouch), ...times, answers }, at(now))
}

describe('stillOnCause', () => {
  it('is `untouched` after 4 hours without a touch', () => {
    expect([cause('11:59'), cause('12:00'), cause('20:00')]).toEqual([null, 'untouched', 'untouched'])
    expect([cause('15:29', { lastTouch: '11:30' }), cause('15:30', { lastTouch: '11:30' })]).toEqual([
      null,
      'untouched',
    ])
  })

  it('is `untouched` only after the target', () => {
    expect([cause('12:00', { until: '13:00' }), cause('13:00', { until: '13:00' })]).toEqual([null, 'untouched'])
    expect(cause('12:00', { until: '09:00' })).toBe('untouched')
    expect(cause('12:00', { until: '13:00', usualEnd: '12:00' })).toBe('usual_end')
  })

  it('is `usual_end` from the usual end on', () => {
    const touched = { usualEnd: '16:00', lastTouch: '14:00' }
    expect([cause('15:59', touched), cause('16:00', touched)]).toEqual([null, 'usual_end'])
    expect([cause('15:00', { usualEnd: '16:00' }), cause('16:00', { usualEnd: '16:00' })]).toEqual([
      'untouched',
      'usual_end',
    ])
  })

  it('is null for half an hour after a touch at the usual end', () => {
    const touched = { usualEnd: '16:00', lastTouch: '15:45' }
    expect([cause('16:14', touched), cause('16:15', touched)]).toEqual([null, 'usual_end'])
  })

  it('ignores a usual end before the start', () => {
    expect(cause('10:00', { usualEnd: '07:00' })).toBeNull()
    expect(cause('10:00', { usualEnd: '08:00' })).toBeNull()
  })

  it('is null for an answered cause, but not for the other one', () => {
    expect(cause('13:00', { answers: ['untouched'] })).toBeNull()
    expect(cause('16:00', { usualEnd: '16:00', answers: ['untouched'] })).toBe('usual_end')
    expect(cause('16:00', { usualEnd: '16:00', answers: ['usual_end'] })).toBe('untouched')
    expect(cause('23:00', { usualEnd: '16:00', answers: ['usual_end', 'untouched'] })).toBeNull()
  })
})
