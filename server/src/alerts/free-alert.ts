import { isDeactivated, whoSees } from '../presence/who-sees.ts'

/** A wish lapses after that. */
export const LAPSES_AFTER = "interval '4 hours'"
/** One that came true waits this long for its watcher. */
export const WAITS_FOR = "interval '1 day'"

/** SQL: the watcher of a row of free_alerts sees the deeb mode of the target, whom the company has not deactivated. With `:circlesAt`. */
export const IS_SEEN = `(target_id in (${whoSees('watcher_id')}) and not ${isDeactivated('target_id')})`

/** SQL: the user with the id in `column` is in deeb mode. The name of its table belongs to it: deeb_sessions has a `user_id` too. */
export function isOn(column: string): string {
  return `exists (select from deeb_sessions where deeb_sessions.user_id = ${column} and is_active)`
}

/**
 * SQL: when the target of a row of free_alerts, who came free, switched off. An earlier session is not the watcher's business: they may
 * not have seen the target then. So `due_at` if the session was deleted since.
 */
export const FREE_SINCE = `coalesce((select end_time from deeb_sessions
    where deeb_sessions.user_id = target_id and discarded_at is null and end_time >= date_trunc('second', asked_at)
    order by start_time desc limit 1), due_at)`
