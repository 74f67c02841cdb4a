import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { switchPushOn as endpoint } from '@deeb/core/push/api'
import { withUserLock } from '../auth/user/user-lock.ts'
import type { Config } from '../config/config.ts'
import { type Db, statement, violatedConstraint } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { isPublicKey } from './encrypt.ts'
import { readPushUrl } from './push-services.ts'

/* The same browser may have been signed in as somebody else, and the oldest browsers make room. */
const makeRoom = statement(
  'push.make-room',
  `delete from push_subscriptions where session_id <> :sessionId and (endpoint = :endpoint or session_id in (
    select session_id from push_subscriptions where user_id = :userId and session_id <> :sessionId
    order by created_at desc offset ${LIMITS.pushSubscriptions.max - 1}))`,
)

const insert = statement(
  'push.insert',
  `insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth_secret, created_at)
  values (:sessionId, :userId, :endpoint, :p256dh, :authSecret, :now)
  on conflict (session_id) do update
    set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth_secret = excluded.auth_secret`,
)

/** Stores the subscription of the browser of this auth session, in place of an earlier one. Idempotent. */
export async function switchPushOn(
  { db, config }: { db: Db; config: Pick<Config, 'push'> },
  { userId, sessionId }: SignedInActor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  if (config.push === 'off') throw new Refusal('not_found')
  const url = readPushUrl(input.endpoint, config)
  if (!url) throw invalid('endpoint', 'Must be the https URL of a push service.')
  const [p256dh, authSecret] = [Buffer.from(input.p256dh, 'base64url'), Buffer.from(input.auth, 'base64url')]
  if (!isPublicKey(p256dh)) throw invalid('p256dh', 'Must be a point of the curve P-256.')
  const values = { sessionId, userId, endpoint: url.href }
  await withUserLock(db, userId, async (db) => {
    await db.query(makeRoom, values)
    await db.query(insert, { ...values, p256dh, authSecret, now })
  }).catch((error) => {
    // The auth session has ended since the request arrived.
    if (violatedConstraint(error) === 'push_subscriptions_session_id_fkey') throw new Refusal('not_signed_in')
    throw error
  })
  return { isOn: true }
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('invalid_input', [{ path, message }])
}
