import type { deleteAccount as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { PROVING_HASH } from '../auth/company/only-by-company.ts'
import { IS_PROVEN } from '../auth/proof.ts'
import { statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { removeUser } from './remove-user.ts'

const find = statement(
  'account.password-hash',
  `select encrypted_password as "passwordHash", ${IS_PROVEN} as "isProven",
    ${PROVING_HASH} as "provingHash"
  from auth.users join auth.sessions on sessions.user_id = users.id
  where users.id = :userId and sessions.id = :sessionId`,
)

interface Found {
  passwordHash: string | null
  isProven: boolean
  /** The hash that the typed password has to match. */
  provingHash: string | null
}

/**
 * Permanently deletes the user with all their data and signs out all their devices. Throws `wrong_password`, also if the password
 * changes concurrently, `too_many_attempts`, and `proof_needed` without a password and without a recent re-authentication.
 */
export async function deleteAccount(
  auth: AuthDeps,
  { userId, sessionId }: SignedInActor,
  { password }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const values = { userId, sessionId, now }
  const [user] = await auth.db.query<Found>(find, values)
  if (!user) throw new Refusal('not_signed_in')
  if (password === undefined) {
    if (!user.isProven) throw new Refusal('proof_needed')
  } else {
    const check = () => auth.passwords.verify(user.provingHash, password)
    if (!(await auth.limits.guessCurrentPassword(userId, now, check))) throw new Refusal('wrong_password')
  }
  const gone = await removeUser(auth, userId, user)
  if (!gone) throw new Refusal('wrong_password')
  for (const id of gone.sessionIds) auth.sessionAlive.invalidate(id)
  for (const id of gone.teamOf) auth.publish({ kind: 'team', id })
  return { deleted: true }
}
