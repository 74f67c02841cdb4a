import type { prove as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { SignedInActor } from '../actor.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { proveByPassword } from '../auth/proof.ts'
import { Refusal } from '../refusal.ts'

/**
 * Proves by the password that the caller owns the account. Refuses with `wrong_password`, also if it is changed at the same
 * time, and `too_many_attempts`.
 */
export async function prove(
  auth: AuthDeps,
  device: SignedInActor,
  { password }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const provenUntil = await proveByPassword(auth, device, password, now)
  if (!provenUntil) throw new Refusal('wrong_password')
  return { provenUntil: provenUntil.toISOString() }
}
