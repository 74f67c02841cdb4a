import type { readAlerts as endpoint } from '@deeb/core/alerts/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { FREE_SINCE, IS_SEEN, isOn, LAPSES_AFTER, WAITS_FOR } from './free-alert.ts'
import { readKnocks } from './knocks.ts'

const read = statement(
  'alerts.read',
  `select target_id as "userId",
    case when due_at is not null and not ${isOn('target_id')} then ${FREE_SINCE} end as "freeSince"
  from free_alerts
  where watcher_id = :userId and ${IS_SEEN}
    and case when due_at is null then asked_at > :now::timestamptz - ${LAPSES_AFTER} else due_at > :now::timestamptz - ${WAITS_FOR} end
  order by asked_at, target_id`,
)

/**
 * Reads the colleagues for whom the actor waits, and the knocks. Somebody who came free and is in deeb mode again is not free: then
 * `freeSince` is null. `circlesAt` as in who-sees.ts.
 */
export async function readAlerts(
  db: Db,
  actor: Actor,
  now: Date,
  circlesAt: Date | null,
): Promise<OutputOf<typeof endpoint>> {
  const rows = await db.query<{ userId: string; freeSince: Date | null }>(read, {
    ...{ userId: actor.userId, now, circlesAt },
  })
  return {
    alerts: rows.map(({ userId, freeSince }) => ({ userId, freeSince: freeSince?.toISOString() ?? null })),
    knocks: await readKnocks(db, actor, now, circlesAt),
  }
}
