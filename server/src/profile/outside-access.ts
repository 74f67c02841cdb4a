import { type Db, statement } from '../db/db.ts'

/** Tables with a `user_id` whose rows let a program read data of that user without an auth session, by a secret of its own. */
const OUTSIDE_ACCESS = ['calendar_links', 'signs']

const end = statement(
  'profile.end-outside-access',
  `with ${OUTSIDE_ACCESS.map((table, i) => `gone_${i} as (delete from ${table} where user_id = :userId)`).join(', ')},
    stopped as (update webhook_endpoints set off_reason = 'security' where user_id = :userId and off_reason is null)
  select`,
)

/**
 * Revokes every access of programs to data of a user, and switches their webhooks off. Every statement that ends the auth sessions of all other devices also has to
 * call this, in its transaction: a thief of the account may have opened it.
 */
export async function endOutsideAccess(db: Db, userId: string): Promise<void> {
  await db.query(end, { userId })
}
