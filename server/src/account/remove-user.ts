import { withUserLock } from '../auth/user/user-lock.ts'
import type { Config } from '../config/config.ts'
import { type Db, statement } from '../db/db.ts'
import { outboxFolder } from '../mail/mailer.ts'
import { removeEmailsTo } from '../mail/outbox-folder.ts'
import { teamOf } from '../presence/who-sees.ts'
import { lockWithCircles } from '../profile/lock-circles.ts'
import { PERSONAL_DATA } from './read-my-data.ts'

/** Tables with rows about a user that no cascade deletes. Emails to others that the user caused have the id of the account. */
const NOT_CASCADED = ['auth.outbox', 'auth.audit_log', 'auth.flow_state', 'auth.scim_users', 'email_leads']
const isGone = (table: string) =>
  table === 'auth.outbox' ? `(${PERSONAL_DATA[table]} or asked_by = :userId::text)` : PERSONAL_DATA[table]

const remove = statement(
  'account.remove-user',
  `with gone as (
    delete from auth.users
    where id = :userId and (:hasAnyPassword or encrypted_password is not distinct from :passwordHash::text) returning email
  ), waiting as (
    delete from auth.pending_signups using gone where pending_signups.email = gone.email
  ), ${NOT_CASCADED.map((table, i) => `loose_${i} as (delete from ${table} where ${isGone(table)} and exists (select from gone))`).join(', ')}
  select array(select id::text from auth.sessions where user_id = :userId
      union all select id::text from auth.personal_tokens where user_id = :userId) as "sessionIds",
    array(select email from gone union select email from auth.former_addresses as former where user_id = :userId
      and not exists (select from auth.users as other where other.email = former.email)) as addresses,
    array(${teamOf(':userId')}) as "teamOf"
  from gone`,
)

/** The ids for the change events after a user was deleted. */
interface Removed {
  /** Includes those of personal access tokens. */
  sessionIds: string[]
  /** The users with a connection or a request with the deleted user, or in a circle with them. */
  teamOf: string[]
}

/**
 * Permanently deletes a user and all their data, also their emails in the outbox folder. With `proof` only if its password hash is
 * still the current one. Null if the user does not exist or the hash differs.
 */
export async function removeUser(
  { db, config }: { db: Db; config: Pick<Config, 'dataDir' | 'smtpUrl'> },
  userId: string,
  proof: { passwordHash: string | null } | null,
): Promise<Removed | null> {
  const values = { userId, hasAnyPassword: proof === null, passwordHash: proof?.passwordHash ?? null }
  const [gone] = await withUserLock(db, userId, async (db) => {
    await lockWithCircles(db, userId)
    return db.query<Removed & { addresses: string[] }>(remove, values)
  })
  if (!gone) return null
  if (config.smtpUrl === null) await removeEmailsTo(outboxFolder(config), gone.addresses)
  return gone
}
