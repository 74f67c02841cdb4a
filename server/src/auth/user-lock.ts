import { type Db, statement } from '../db/db.ts'

const lock = statement('auth.lock-user', 'select id from auth.users where id = $1 for update')

/**
 * Until the end of the transaction nobody opens a session of this person. A statement that ends sessions must come after
 * it: by itself it would not see one that is being opened while it waits.
 */
export async function lockUser(db: Db, userId: string): Promise<void> {
  await db.query(lock, [userId])
}
