import type { deleteAccount as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { Actor } from '../actor.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { statement } from '../db/db.ts'
import { Refusal } from '../refusal.ts'

const find = statement('account.password-hash', 'select encrypted_password as hash from auth.users where id = $1')

/* The rest goes with the user by cascade. Only while the password is still the one that was checked. */
const remove = statement(
  'account.delete',
  `with gone as (
    delete from auth.users where id = $1 and encrypted_password = $2 returning id, email
  ), mails as (
    delete from auth.outbox where recipient in (select email from gone)
  ), logged as (
    delete from auth.audit_log where user_id in (select id from gone)
  ), leads as (
    delete from email_leads where email in (select email from gone)
  )
  select sessions.id as "sessionId" from auth.sessions join gone on gone.id = user_id`,
)

/**
 * Deletes the caller and everything that is held about them, for good; all their devices are signed out. Refuses with
 * `wrong_password` and `too_many_attempts`.
 */
export async function deleteAccount(
  { db, limits, now, passwords, sessionAlive }: AuthDeps,
  actor: Actor,
  input: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const [user] = await db.query<{ hash: string }>(find, [actor.userId])
  if (!user) throw new Refusal('not_signed_in')
  const check = () => passwords.verify(user.hash, input.password)
  if (!(await limits.guessCurrentPassword(actor.userId, now(), check))) throw new Refusal('wrong_password')
  const ended = await db.query<{ sessionId: string }>(remove, [actor.userId, user.hash])
  for (const { sessionId } of ended) sessionAlive.forget(sessionId)
  return { deleted: true }
}
