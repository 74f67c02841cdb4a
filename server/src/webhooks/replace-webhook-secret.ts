import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type replaceWebhookSecret as endpoint, OLD_SECRET_HOURS } from '@deeb/core/webhooks/api'
import { seal } from '../auth/factors/seal.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import { statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import type { WebhookDeps } from './create-webhook.ts'
import { requireProof } from './require-proof.ts'
import { makeSecret } from './sign.ts'

const replace = statement(
  'webhooks.replace-secret',
  `update webhook_endpoints set secret = :sealed, old_secret = case when not :isLeaked then secret end,
    old_secret_until = case when not :isLeaked then :now::timestamptz + interval '${OLD_SECRET_HOURS} hours' end
  where id = :id and user_id = :userId returning 1`,
)

/** Replaces the secret of a webhook. The old one signs too for a day, unless it leaked. Refuses with `proof_needed` and `not_found`. */
export async function replaceWebhookSecret(
  { db, keys }: Pick<WebhookDeps, 'db' | 'keys'>,
  actor: SignedInActor,
  { id, isLeaked }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { userId } = actor
  const secret = makeSecret()
  const sealed = seal(keys.sealKeys[0], Buffer.from(secret), id)
  const [row] = await withUserLock(db, userId, async (db) => {
    await requireProof(db, actor, now)
    return db.query(replace, { id, userId, sealed, isLeaked, now })
  })
  if (!row) throw new Refusal('not_found')
  return { secret }
}
