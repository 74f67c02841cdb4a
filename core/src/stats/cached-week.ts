import type { OutputOf } from '../endpoint.ts'
import type { readWeek } from './api.ts'

type Week = OutputOf<typeof readWeek>

/** A cached response of `readWeek` as of a later time; null once that week is over. */
export function weekAt(read: Week, now: Date): Week | null {
  const sunday = read.week.at(-1)
  return sunday && now < new Date(sunday.endsAt) ? read : null
}
