import * as v from 'valibot'
import { dateAfter, firstAtLocalTime, localDateOf } from '../focus/split-by-day.ts'
import { MAX_TARGET_MINUTES } from '../focus/target.ts'
import { Int, maxCharacters } from '../formats.ts'
import { DayOfWeek } from '../goals/week-of-goals.ts'

/** A circle has at most this many quiet times. */
export const MAX_QUIET_TIMES = 5
export const MIN_QUIET_MINUTES = 15
/** A quiet time is no longer than a session can be meant to be. */
export const MAX_QUIET_MINUTES = MAX_TARGET_MINUTES

const DAY_MINUTES = 24 * 60

/** A part of some days of each week, in which the members of a circle have agreed to be quiet. In the time zone of the circle. */
export const QuietTime = v.object({
  /** Each once. */
  days: v.pipe(v.array(DayOfWeek), v.minLength(1), v.maxLength(7)),
  /** Minutes since midnight. */
  from: v.pipe(Int, v.minValue(0), v.maxValue(DAY_MINUTES)),
  /** Minutes since midnight; 1440 is the end of the day. */
  to: v.pipe(Int, v.minValue(0), v.maxValue(DAY_MINUTES)),
})
export type QuietTime = v.InferOutput<typeof QuietTime>

/** Quiet times of a circle, by the clock of their zone. */
export const AgreedTimes = v.object({
  timeZone: v.pipe(v.string(), maxCharacters(100)),
  times: v.pipe(v.array(QuietTime), v.maxLength(MAX_QUIET_TIMES)),
})
export type AgreedTimes = v.InferOutput<typeof AgreedTimes>

/** Whether these are the same ones, in any order. */
export function areSame(one: AgreedTimes, other: AgreedTimes): boolean {
  return textOf(one) === textOf(other)
}

function textOf({ timeZone, times }: AgreedTimes): string {
  const texts = times.map(({ days, from, to }) => JSON.stringify([days.toSorted(), from, to]))
  return [...texts.toSorted(), times.length > 0 ? timeZone : ''].join()
}

/** Returns the number of the first of these that is not possible, or has some time of a day in common with an earlier one; -1 if none. */
export function firstFault(times: readonly QuietTime[]): number {
  return times.findIndex((time, n) => !isPossible(time) || times.slice(0, n).some((earlier) => overlap(earlier, time)))
}

function overlap(one: QuietTime, other: QuietTime): boolean {
  return one.from < other.to && other.from < one.to && one.days.some((day) => other.days.includes(day))
}

/** Whether a quiet time has days, each of them once, ends on the day on which it begins, and is neither too short nor too long. */
function isPossible({ days, from, to }: QuietTime): boolean {
  const length = to - from
  const isSet = days.length > 0 && new Set(days).size === days.length
  return isSet && length >= MIN_QUIET_MINUTES && length <= MAX_QUIET_MINUTES
}

/** One occurrence of a quiet time. */
export interface Occurrence {
  readonly startsAt: Date
  readonly endsAt: Date
}

/** Longer than any weekly pattern takes to repeat, also if the zone skips a day (Apia, 30 Dec 2011). */
const DAYS_AHEAD = 15

/**
 * The first occurrence that is not over at an instant.
 *
 *     Berlin, clocks forward     1:59 | 3:00 [= 30 min =] 3:30    2:00 to 3:30 begins when the clock is past 2:00
 *     Berlin, clocks back        2:30 [== 2 h: 2:30 .. 3:00 2:00 .. 3:30 ==] 3:30     begins at the first 2:30, once
 *
 * A day on which a change of the clock leaves nothing of it has none.
 */
export function nextOccurrence({ days, from, to }: QuietTime, timeZone: string, now: Date): Occurrence {
  // If clocks were set back across midnight, the date of an instant may be behind.
  const yesterday = dateAfter(localDateOf(now, timeZone), -1)
  for (let n = 0; n <= DAYS_AHEAD; n++) {
    const date = dateAfter(yesterday, n)
    if (!days.includes(new Date(date).getUTCDay())) continue
    const startsAt = firstAtLocalTime(date, from, timeZone)
    const endsAt = firstAtLocalTime(date, to, timeZone)
    if (startsAt < endsAt && now < endsAt) return { startsAt, endsAt }
  }
  throw new Error(`no day of ${days.join()} within two weeks`)
}
