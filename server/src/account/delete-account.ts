import type { deleteAccount as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { Actor } from '../actor.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { changingUser } from '../auth/user-lock.ts'
import { statement } from '../db/db.ts'
import { outboxFolder } from '../mail/mailer.ts'
import { removeMailsTo } from '../mail/outbox-folder.ts'
import { Refusal } from '../refusal.ts'
import { HELD } from './read-my-data.ts'

const find = statement('account.password-hash', 'select encrypted_password as hash from auth.users where id = $1')

/** What refers to nobody by a key, and so does not go with the user by itself. */
const LOOSE = ['auth.outbox', 'auth.audit_log', 'email_leads']

/* Only while the password is still the one that was checked. */
const remove = statement(
  'account.delete',
  `with gone as (
    delete from auth.users where id = $1 and encrypted_password = $2 returning email
  ), ${LOOSE.map((table, i) => `loose_${i} as (delete from ${table} where ${HELD[table]} and exists (select from gone))`).join(', ')}
  select array(select id::text from auth.sessions where user_id = $1) as "sessionIds",
    array(select email from gone union select email from auth.former_addresses as former where user_id = $1
      and not exists (select from auth.users as other where other.email = former.email)) as addresses,
    array(select case when requester_id = $1 then receiver_id else requester_id end from team_connections
      where $1 in (requester_id, receiver_id) and status <> 'declined') as "teamOf"
  from gone`,
)

interface Gone {
  sessionIds: string[]
  addresses: string[]
  /** Whoever was connected with them, or asked, or was asked. */
  teamOf: string[]
}

/**
 * Deletes the caller and everything that is held about them, for good; all their devices are signed out. Refuses with
 * `wrong_password`, also if it is changed at the same time, and `too_many_attempts`.
 */
export async function deleteAccount(
  { announce, config, db, limits, now, passwords, sessionAlive }: AuthDeps,
  actor: Actor,
  input: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const [user] = await db.query<{ hash: string }>(find, [actor.userId])
  if (!user) throw new Refusal('not_signed_in')
  const check = () => passwords.verify(user.hash, input.password)
  if (!(await limits.guessCurrentPassword(actor.userId, now(), check))) throw new Refusal('wrong_password')
  const [gone] = await changingUser(db, actor.userId, (db) => db.query<Gone>(remove, [actor.userId, user.hash]))
  if (!gone) throw new Refusal('wrong_password')
  for (const sessionId of gone.sessionIds) sessionAlive.forget(sessionId)
  for (const userId of gone.teamOf) announce({ kind: 'team', userId })
  if (config.smtpUrl === null) await removeMailsTo(outboxFolder(config), gone.addresses)
  return { deleted: true }
}
