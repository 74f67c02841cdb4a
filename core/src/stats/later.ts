import type { OutputOf } from '../endpoint.ts'
import { localDayAt } from '../focus/split-by-day.ts'
import type { readHome, readWeek } from './api.ts'

type Home = OutputOf<typeof readHome>
type Week = OutputOf<typeof readWeek>

/**
 * What an earlier read of Home says later on, while nobody can be asked: what was read is still so, but a new day has
 * begun with nothing saved in it.
 *
 *     read        Monday 22:00, 3 h saved, session since 21:00
 *     later       Tuesday 00:30, 0 h saved, session since Monday 21:00
 */
export function homeLater(home: Home, now: Date, timeZone: string): Home {
  if (now < new Date(home.today.endsAt)) return home
  const { date, dayOfWeek, startsAt, endsAt } = localDayAt(now, timeZone)
  return {
    ...home,
    today: {
      date,
      dayOfWeek,
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      savedSeconds: 0,
    },
  }
}

/** The same of a week; null once it is over. */
export function weekLater(read: Week, now: Date): Week | null {
  const sunday = read.week.at(-1)
  return sunday && now < new Date(sunday.endsAt) ? read : null
}
