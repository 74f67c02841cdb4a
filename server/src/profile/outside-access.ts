import { type Db, statement } from '../db/db.ts'

/** Tables with a `user_id` whose rows let a program act as that user or read their data without an auth session, by a secret of its own. */
const OUTSIDE_ACCESS = ['calendar_links', 'signs']

const end = statement(
  'profile.end-outside-access',
  `with ${OUTSIDE_ACCESS.map((table, i) => `gone_${i} as (delete from ${table} where user_id = :userId)`).join(', ')},
    stopped as (update webhook_endpoints set off_reason = 'security' where user_id = :userId and off_reason is null)
  delete from auth.personal_tokens where user_id = :userId returning id`,
)

/**
 * Revokes every access of programs to data of a user, and switches their webhooks off. Every statement that ends the auth sessions of
 * all other devices also has to call this, in its transaction: a thief of the account may have opened it. Returns the ids of the revoked
 * personal access tokens. Publish each like an ended auth session: `sessionAlive.invalidate(id)`.
 */
export async function endOutsideAccess(db: Db, userId: string): Promise<string[]> {
  return (await db.query<{ id: string }>(end, { userId })).map(({ id }) => id)
}
