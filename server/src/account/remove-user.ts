import { withUserLock } from '../auth/user/user-lock.ts'
import type { Config } from '../config.ts'
import { type Db, statement } from '../db/db.ts'
import { outboxFolder } from '../mail/mailer.ts'
import { removeEmailsTo } from '../mail/outbox-folder.ts'
import { HELD } from './read-my-data.ts'

/** What refers to nobody by a key, and so does not go with the user by itself. */
const LOOSE = ['auth.outbox', 'auth.audit_log', 'email_leads']

const remove = statement(
  'account.remove-user',
  `with gone as (
    delete from auth.users
    where id = :userId and (:passwordHash::text is null or encrypted_password = :passwordHash) returning email
  ), waiting as (
    delete from auth.pending_signups using gone where pending_signups.email = gone.email
  ), ${LOOSE.map((table, i) => `loose_${i} as (delete from ${table} where ${HELD[table]} and exists (select from gone))`).join(', ')}
  select array(select id::text from auth.sessions where user_id = :userId) as "sessionIds",
    array(select email from gone union select email from auth.former_addresses as former where user_id = :userId
      and not exists (select from auth.users as other where other.email = former.email)) as addresses,
    array(select case when requester_id = :userId then receiver_id else requester_id end from team_connections
      where :userId in (requester_id, receiver_id) and status <> 'declined') as "teamOf"
  from gone`,
)

/** Who is to be told that a person is gone. */
interface Gone {
  sessionIds: string[]
  /** Whoever was connected with them, or asked, or was asked. */
  teamOf: string[]
}

/**
 * Deletes a person and everything that is held about them, their mail in the outbox folder too, for good. With a
 * `passwordHash` only while it is theirs. Null if there is no such person.
 */
export async function removeUser(
  { db, config }: { db: Db; config: Pick<Config, 'dataDir' | 'smtpUrl'> },
  userId: string,
  passwordHash: string | null,
): Promise<Gone | null> {
  const [gone] = await withUserLock(db, userId, (db) =>
    db.query<Gone & { addresses: string[] }>(remove, { userId, passwordHash }),
  )
  if (!gone) return null
  if (config.smtpUrl === null) await removeEmailsTo(outboxFolder(config), gone.addresses)
  return gone
}
