import { FOCUS_SESSIONS_CSV_PATH, FOCUS_SESSIONS_ICS_PATH } from '@deeb/core/account/api'
import type { Language } from '@deeb/core/languages'
import type { Db } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { calendarPieces } from '../sessions/as-calendar.ts'
import { csvPieces } from '../sessions/as-csv.ts'
import { allEnded } from '../sessions/ended-sessions.ts'

/** The files with all ended focus sessions of the actor. */
export const SESSION_FILES = [
  {
    path: FOCUS_SESSIONS_CSV_PATH,
    summary: 'Download all ended focus sessions of the caller as CSV. `download_running` during another download.',
    type: 'text/csv',
    name: 'deeb-sessions.csv',
    piecesOf: (db: Db, { userId }: Actor) => csvPieces(allEnded(db, userId)),
  },
  {
    path: FOCUS_SESSIONS_ICS_PATH,
    summary:
      'Download all ended focus sessions of the caller as a calendar. `download_running` during another download.',
    type: 'text/calendar',
    name: 'deeb-sessions.ics',
    piecesOf: (db: Db, { userId }: Actor, language: Language) => calendarPieces(allEnded(db, userId), language),
  },
] as const
