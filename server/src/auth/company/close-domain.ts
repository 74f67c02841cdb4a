import { type Db, statement } from '../../db/db.ts'

/* The row locks of the users come first, as in user-lock.ts: another order would cause deadlocks with sign-ins. */
const lockUsers = statement(
  'auth.lock-users-of-domain',
  'select from auth.users where email_domain = :domain order by id for update',
)

const close = statement(
  'auth.close-domain',
  'update auth.sso_domains set only_sso = true where domain = :domain returning provider_id as "providerId"',
)

/* A separate statement, so that it sees the auth session of a sign-in that held the row lock of the domain. */
const endOthers = statement(
  'auth.end-other-sign-ins',
  `delete from auth.sessions using auth.users
  where users.id = sessions.user_id and users.email_domain = :domain
    and sessions.sso_provider_id is distinct from :providerId::uuid
  returning sessions.id`,
)

/**
 * Lets accounts of a domain sign in by their company only, and ends their auth sessions of other sign-ins. Returns the ids of these:
 * publish them after the commit. Null if no identity provider speaks for the domain.
 */
export function closeDomain(db: Db, domain: string): Promise<string[] | null> {
  return db.transaction(async (db) => {
    await db.query(lockUsers, { domain })
    const [closed] = await db.query<{ providerId: string }>(close, { domain })
    if (!closed) return null
    const ended = await db.query<{ id: string }>(endOthers, { domain, providerId: closed.providerId })
    return ended.map(({ id }) => id)
  })
}
