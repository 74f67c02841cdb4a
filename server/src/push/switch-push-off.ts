import type { OutputOf } from '@deeb/core/endpoint'
import type { switchPushOff as endpoint } from '@deeb/core/push/api'
import { type Db, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'

const remove = statement('push.remove', 'delete from push_subscriptions where session_id = :sessionId')

/** Deletes the subscription of the browser of this auth session. Idempotent. */
export async function switchPushOff(db: Db, { sessionId }: SignedInActor): Promise<OutputOf<typeof endpoint>> {
  await db.query(remove, { sessionId })
  return { isOn: false }
}
