import { dateAt } from '@deeb/core/testing/local-dates'
/*
 * The model of a counted week for property tests: it looks at each third of a minute. It shares no code with the product, which splits
 * sessions at their midnight and keeps sums.
 */
import { later } from './naive-week.ts'

export interface RawPerson {
  inReport: boolean
  /** The goals of Sunday to Saturday; null if none were saved. */
  goals: number[] | null
  sessions: { startedAt: Date; endedAt: Date; timeZone: string }[]
}

/** Sessions start and end at a multiple of this. */
export const STEP_MS = 20_000
const HOUR_MS = 3_600_000

/** The true sums of the week from a Monday. No clocks change in it. */
export function naiveSums(people: RawPerson[], monday: string) {
  const dates = Array.from({ length: 7 }, (_, n) => later(monday, n))
  const sums = {
    members: people.length,
    people: 0,
    minutes: 0,
    goals: 0,
    times: Array(7).fill(0),
    days: Array(6).fill(0),
  }
  for (const { inReport, goals, sessions } of people) {
    const steps = dates.map(() => Array<number>(24).fill(0))
    for (const { startedAt, endedAt, timeZone } of sessions) {
      const offset = offsetOf(startedAt, timeZone)
      for (let at = startedAt.getTime() + offset; at < endedAt.getTime() + offset; at += STEP_MS) {
        const local = new Date(at)
        const hours = steps[dates.indexOf(local.toISOString().slice(0, 10))]
        if (hours) hours[local.getUTCHours()] = (hours[local.getUTCHours()] ?? 0) + 1
      }
    }
    const ofDay = steps.map((hours) => add(hours))
    const minutes = add(ofDay.map((count) => Math.floor((count * STEP_MS) / 60_000)))
    if (!inReport || minutes === 0) continue
    sums.people += 1
    sums.minutes += minutes > 1800 ? 1800 : minutes
    if (goals && add(goals) > 0 && minutes >= add(goals)) sums.goals += 1
    const from = (a: number, b: number) => add(steps.slice(0, 5).map((hours) => add(hours.slice(a, b))))
    const times = [from(0, 8), from(8, 10), from(10, 12), from(12, 14), from(14, 16), from(16, 18), from(18, 24)]
    const days = [...ofDay.slice(0, 5), add(ofDay.slice(5))]
    for (const [bars, own] of [
      [sums.times, times],
      [sums.days, days],
    ] as const) {
      for (const [n, count] of own.entries()) if (count > 0) bars[n] += Math.floor((1000 * count) / add(own))
    }
  }
  return sums
}

function add(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

/** The difference of local time and UTC, to a quarter of an hour: that of no zone of the tests is finer. */
function offsetOf(instant: Date, timeZone: string): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(instant)
  const local = Date.parse(`${dateAt(instant.getTime(), timeZone)}T${clock}Z`)
  return Math.round((local - instant.getTime()) / (HOUR_MS / 4)) * (HOUR_MS / 4)
}
