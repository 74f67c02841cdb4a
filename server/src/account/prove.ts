import type { prove as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { proveByPassword } from '../auth/proof.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/**
 * Re-authenticates the user by password and returns when that expires. Throws `wrong_password`, also if the password changes
 * concurrently, and `too_many_attempts`.
 */
export async function prove(
  auth: AuthDeps,
  actor: SignedInActor,
  { password }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const provenUntil = await proveByPassword(auth, actor, password, now)
  if (!provenUntil) throw new Refusal('wrong_password')
  return { provenUntil: provenUntil.toISOString() }
}
