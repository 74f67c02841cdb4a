import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { discardSession, keepSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { v7 as uuidv7 } from 'uuid'
import { statement } from '../db/db.ts'
import type { MadeUser } from './make.ts'
import type { TestApp } from './test-app.ts'

const minutes = statement(
  'test.minutes-per-date',
  'select date, total_minutes as minutes from daily_stats where user_id = :userId and total_minutes > 0',
)

/** Calls of one user about focus sessions, with the whole answers. */
export function focusOf(app: TestApp, user: MadeUser, timeZone = 'Europe/Berlin') {
  return {
    start: (sessionId = uuidv7(), zone = timeZone) => app.call(startFocus, { sessionId, timeZone: zone }, user),
    stop: (sessionId: string) => app.call(stopFocus, { sessionId }, user),
    keep: (sessionId: string) => app.call(keepSession, { sessionId }, user),
    discard: (sessionId: string) => app.call(discardSession, { sessionId }, user),
    home: (zone = timeZone) => app.call(readHome, { timeZone: zone }, user),
    listed: async () => (await app.call(readSessions, {}, user)).body.sessions,
    /** Minutes by local date as `06-15`, without empty dates. */
    async minutesPerDate(): Promise<Record<string, number>> {
      const rows = await app.db.query<{ date: string; minutes: number }>(minutes, { userId: user.userId })
      return Object.fromEntries(rows.map(({ date, minutes }) => [date.slice(5), minutes]))
    },
  }
}
