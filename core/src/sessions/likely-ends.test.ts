import { describe, expect, it } from 'vitest'
import { likelyEnds } from './likely-ends.ts'

const at = (time: string) => new Date(`2026-06-15T${time}Z`)

/** The likely ends of a session from 06:00 to 22:00, as `17:40 last_touch`. */
function ends(lastTouch: string | null, usualEnd: string | null): string[] {
  const session = { startedAt: at('06:00:00'), endedAt: at('22:00:00') }
  const known = { lastTouchAt: lastTouch ? at(lastTouch) : null, usualEndAt: usualEnd ? at(usualEnd) : null }
  return likelyEnds(session, known).map(({ at, why }) => `${at.toISOString().slice(11, 19)} ${why}`)
}

describe('likelyEnds', () => {
  it('has the last touch, to the minute, before the usual end', () => {
    expect(ends('17:40:31', '16:00:00')).toEqual(['17:40:00 last_touch', '16:00:00 usual_end'])
  })

  it('leaves out what is not known', () => {
    expect(ends(null, '16:00:00')).toEqual(['16:00:00 usual_end'])
    expect(ends('17:40:00', null)).toEqual(['17:40:00 last_touch'])
    expect(ends(null, null)).toEqual([])
  })

  it('leaves out what is not between the start and the end that the server gave it', () => {
    expect(ends('21:59:00', '06:01:00')).toEqual(['21:59:00 last_touch', '06:01:00 usual_end'])
    expect(ends('22:00:10', '06:00:00')).toEqual([])
    expect(ends('23:00:00', '05:00:00')).toEqual([])
  })

  it('leaves out a touch in the first 15 minutes', () => {
    expect(ends('06:14:59', null)).toEqual([])
    expect(ends('06:15:00', null)).toEqual(['06:15:00 last_touch'])
  })

  it('has the same minute once', () => {
    expect(ends('17:00:45', '17:00:00')).toEqual(['17:00:00 last_touch'])
  })
})
