import { IS_USABLE } from '../auth/auth-session/auth-session.ts'
import { IS_PROVEN } from '../auth/proof.ts'
import { type Db, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const read = statement(
  'webhooks.is-proven',
  `select ${IS_PROVEN} as "isProven" from auth.sessions where id = :sessionId and user_id = :userId and ${IS_USABLE}`,
)

/** Refuses with `proof_needed` without a recent re-authentication of the auth session. */
export async function requireProof(db: Db, { userId, sessionId }: SignedInActor, now: Date): Promise<void> {
  const [own] = await db.query<{ isProven: boolean }>(read, { userId, sessionId, now })
  if (!own) throw new Refusal('not_signed_in')
  if (!own.isProven) throw new Refusal('proof_needed')
}
