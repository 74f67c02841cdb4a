import { type setAlert as endpoint, MAX_ALERTS } from '@deeb/core/alerts/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import { lockProfile } from '../focus/lock-profile.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { IS_SEEN, isOn, LAPSES_AFTER } from './free-alert.ts'

const remove = statement(
  'alerts.remove',
  'delete from free_alerts where watcher_id = :watcherId and target_id = :targetId',
)

/* A wish that is open stays as it is. */
const insert = statement(
  'alerts.insert',
  `with visible as (
    select watcher_id, target_id from (select :watcherId::uuid as watcher_id, :targetId::uuid as target_id) as wish
    where ${IS_SEEN} and ${isOn('target_id')}
  ), others as (
    select count(*) as count from free_alerts where watcher_id = :watcherId and target_id <> :targetId
      and due_at is null and asked_at > :now::timestamptz - ${LAPSES_AFTER}
  ), stored as (
    insert into free_alerts (watcher_id, target_id, asked_at)
    select watcher_id, target_id, :now from visible, others where count < ${MAX_ALERTS}
    on conflict (watcher_id, target_id) do update set asked_at = excluded.asked_at, due_at = null
      where free_alerts.due_at is not null or free_alerts.asked_at <= :now::timestamptz - ${LAPSES_AFTER}
  )
  select exists (select from visible) as "isVisible", count >= ${MAX_ALERTS} as "areTooMany" from others`,
)

/**
 * Stores or deletes the wish of the actor for an alert when a colleague is free. Idempotent. Refuses with `not_found` unless the actor
 * sees that the colleague is in deeb mode, and with `too_many_alerts`. The colleague never learns of it. `circlesAt` as in who-sees.ts.
 */
export async function setAlert(
  db: Db,
  { userId: watcherId }: Actor,
  { userId: targetId, isWanted }: InputOf<typeof endpoint>,
  now: Date,
  circlesAt: Date | null,
): Promise<OutputOf<typeof endpoint>> {
  if (!isWanted) {
    await db.query(remove, { watcherId, targetId })
    return { isWanted }
  }
  return db.transaction(async (db) => {
    await lockProfile(db, watcherId)
    const [outcome] = await db.query<{ isVisible: boolean; areTooMany: boolean }>(insert, {
      ...{ watcherId, targetId, now, circlesAt },
    })
    if (!outcome?.isVisible) throw new Refusal('not_found')
    if (outcome.areTooMany) throw new Refusal('too_many_alerts')
    return { isWanted }
  })
}
