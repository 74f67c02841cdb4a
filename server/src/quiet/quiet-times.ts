import type { OwnQuietTimes, TakingPart } from '@deeb/core/circles/quiet-api'
import type { AgreedTimes, QuietTime } from '@deeb/core/circles/quiet-times'
import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'
import { type Db, statement } from '../db/db.ts'

/** SQL: a row of quiet_times as QuietTime, in `json_build_object`. */
const QUIET_TIME = `'days', days, 'from', from_minute, 'to', to_minute`

const read = statement(
  'circles.read-quiet-times',
  `select min(time_zone) as "timeZone", json_agg(json_build_object(${QUIET_TIME})) as times
  from quiet_times where circle_id = :circleId having count(*) > 0`,
)

/** The quiet times of a circle. Null if it has none. */
export async function readAgreed(db: Db, circleId: string): Promise<AgreedTimes | null> {
  const [agreed] = await db.query<AgreedTimes>(read, { circleId })
  return agreed ?? null
}

/** SQL: `quiet_members` does not leave out an occurrence of `quiet_times`. */
export const IS_NOT_SKIPPED = '(skips_until is null or skips_until <= starts_at)'

/**
 * SQL: the id of the session that a device opens for a member in an occurrence. Several devices open the same one, so that it is opened
 * once and stays ended. Nobody else can guess it, and open it first.
 */
const SWITCH_ON_ID = `overlay(overlay(
    md5(seed::text || quiet_times.id || extract(epoch from starts_at)) placing '8' from 13) placing '8' from 17)::uuid`

/**
 * SQL: the quiet times of the circle of `own`, a row of circle_members, and how its member takes part, in `json_build_object`.
 */
export const QUIET_OF_OWN = `'quiet', json_build_object(
    'timeZone', (select min(time_zone) from quiet_times where quiet_times.circle_id = own.circle_id),
    'times', (select coalesce(json_agg(json_build_object(${QUIET_TIME}) order by from_minute, to_minute, days), '[]')
      from quiet_times where quiet_times.circle_id = own.circle_id),
    'own', (select json_build_object('notifies', notifies, 'switchesOn', switches_on, 'skips', coalesce(skips_until > :now, false))
      from quiet_members where quiet_members.circle_id = own.circle_id and quiet_members.user_id = own.user_id))`

/** The result of QUIET_OF_OWN. */
export interface QuietRow {
  timeZone: string | null
  times: QuietTime[]
  own: (Omit<TakingPart, 'takesPart'> & { skips: boolean }) | null
}

export function quietOf({ timeZone, times, own }: QuietRow): OwnQuietTimes {
  const part = own ?? { notifies: false, switchesOn: false, skips: false }
  return { timeZone, times, takesPart: own !== null, ...part }
}

/**
 * SQL: the quiet times of a person that are under way or begin before `:dayEnd`, as in the answer of `readHome`. With `:circlesAt`. Somebody
 * who was in deeb mode since its start is not switched on: they may have ended that.
 */
export function quietOfHome(person: string): string {
  return `(select coalesce(json_agg(json_build_object('circleId', circles.id, 'circle', name, 'startsAt', starts_at, 'endsAt', ends_at,
      'switchOnId', case when switches_on and not exists (
        select from deeb_sessions where deeb_sessions.user_id = ${person} and start_time > starts_at - interval '${MAX_SESSION_HOURS} hours'
          and (deeb_sessions.id = ${SWITCH_ON_ID} or coalesce(end_time, :circlesAt) >= starts_at)) then ${SWITCH_ON_ID} end)
      order by starts_at, ends_at, circles.id), '[]')
    from quiet_members join quiet_times using (circle_id) join circles on circles.id = circle_id
    where quiet_members.user_id = ${person} and ends_at > :circlesAt::timestamptz and starts_at < :dayEnd and ${IS_NOT_SKIPPED})`
}

/** An occurrence as the API writes it, from JSON of the database. */
export function withIsoTimes<Occurrence extends { startsAt: string; endsAt: string }>(row: Occurrence): Occurrence {
  return { ...row, startsAt: new Date(row.startsAt).toISOString(), endsAt: new Date(row.endsAt).toISOString() }
}
