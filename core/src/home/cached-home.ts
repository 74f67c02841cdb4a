import type { OutputOf } from '../endpoint.ts'
import { localDayAt } from '../focus/split-by-day.ts'
import type { readHome } from './api.ts'

type Home = OutputOf<typeof readHome>

/**
 * A cached response of `readHome` as of a later time, for offline mode. If a new day has begun, its saved time is 0.
 *
 *     before      Monday 22:00, 3 h saved, session since 21:00
 *     after       Tuesday 00:30, 0 h saved, session since Monday 21:00
 */
export function homeAt(home: Home, now: Date, timeZone: string): Home {
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
