import type { FocusSession, FocusState } from '@deeb/core/focus/api'
import { IS_FORGOTTEN } from './close-session-sql.ts'

/** Columns for a select from `profiles` that reads the state of deeb mode. Needs FOCUS_STATE_JOINS. */
export const FOCUS_STATE_COLUMNS = `presence.revision::float8 as version, running.id as "runningId", running.start_time as "runningSince",
  running.target_minutes as "runningTarget", forgotten.id as "forgottenId", forgotten.start_time as "forgottenFrom",
  forgotten.end_time as "forgottenTo"`

export const FOCUS_STATE_JOINS = `join user_presence as presence on presence.user_id = profiles.id
  left join deeb_sessions as running on running.user_id = profiles.id and running.is_active
  left join lateral (
    select id, start_time, end_time from deeb_sessions
    where user_id = profiles.id and ${IS_FORGOTTEN} order by start_time limit 1
  ) as forgotten on true`

export interface FocusStateRow {
  version: number
  runningId: string | null
  runningSince: Date | null
  runningTarget: number | null
  forgottenId: string | null
  forgottenFrom: Date | null
  forgottenTo: Date | null
}

/** The part of a response about deeb mode, which home, week and other screens share. */
export function focusState(row: FocusStateRow, now: Date): FocusState {
  return {
    openSession: session(row.runningId, row.runningSince, null, row.runningTarget),
    forgottenSession: session(row.forgottenId, row.forgottenFrom, row.forgottenTo, null),
    version: row.version,
    serverTime: now.toISOString(),
  }
}

function session(
  id: string | null,
  startedAt: Date | null,
  endedAt: Date | null,
  targetMinutes: number | null,
): FocusSession | null {
  return id && startedAt ? focusSession({ id, startedAt, endedAt, targetMinutes }) : null
}

/** SQL: the id and times of a row of `deeb_sessions`. */
export const SESSION_TIMES = 'id, start_time as "startedAt", end_time as "endedAt"'

/** SQL: a row of `deeb_sessions` as SessionRow. */
export const SESSION_ROW = `${SESSION_TIMES}, target_minutes as "targetMinutes"`

/** SQL: a row of `deeb_sessions` is the session `:sessionId` of `:userId`, by its id or by an alias. */
export const IS_NAMED = `(id = :sessionId
      or id = (select session_id from deeb_session_aliases where user_id = :userId and alias = :sessionId))`

export interface SessionRow {
  id: string
  startedAt: Date
  endedAt: Date | null
  /** Only of an open session. */
  targetMinutes?: number | null | undefined
}

/** A focus session in the shape of the API. */
export function focusSession({ id, startedAt, endedAt, targetMinutes }: SessionRow): FocusSession {
  return {
    id,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    ...(targetMinutes && { targetMinutes }),
  }
}
