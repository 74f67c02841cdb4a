import type { deleteAccount as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { Actor } from '../actor.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { statement } from '../db/db.ts'
import { Refusal } from '../refusal.ts'
import { removeUser } from './remove-user.ts'

const find = statement('account.password-hash', 'select encrypted_password as hash from auth.users where id = :userId')

/**
 * Permanently deletes the user with all their data and signs out all their devices. Throws `wrong_password`, also if the password
 * changes concurrently, and `too_many_attempts`.
 */
export async function deleteAccount(
  auth: AuthDeps,
  actor: Actor,
  input: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const [user] = await auth.db.query<{ hash: string }>(find, { userId: actor.userId })
  if (!user) throw new Refusal('not_signed_in')
  const check = () => auth.passwords.verify(user.hash, input.password)
  if (!(await auth.limits.guessCurrentPassword(actor.userId, auth.now(), check))) throw new Refusal('wrong_password')
  const gone = await removeUser(auth, actor.userId, user.hash)
  if (!gone) throw new Refusal('wrong_password')
  for (const sessionId of gone.sessionIds) auth.sessionAlive.invalidate(sessionId)
  for (const userId of gone.teamOf) auth.publish({ kind: 'team', userId })
  return { deleted: true }
}
