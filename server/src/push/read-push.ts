import type { OutputOf } from '@deeb/core/endpoint'
import type { readPush as endpoint } from '@deeb/core/push/api'
import { type Db, lookup } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const read = lookup(
  'push.read',
  `select still_on_reminders as "remindsStillOn",
    exists (select from push_subscriptions where session_id = :sessionId) as "isOn"
  from profiles where id = :userId`,
)

/** Whether push messages reach the browser of this auth session. `publicKey` is null if the server sends none. */
export async function readPush(
  db: Db,
  { userId, sessionId }: SignedInActor,
  publicKey: string | null,
): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<{ remindsStillOn: boolean; isOn: boolean }>(read, { userId, sessionId })
  if (!row) throw new Refusal('not_signed_in')
  return { ...row, publicKey, isOn: publicKey !== null && row.isOn }
}
