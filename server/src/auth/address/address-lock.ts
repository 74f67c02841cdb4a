import { type Db, statement } from '../../db/db.ts'

const lock = statement('auth.lock-address', "select pg_advisory_xact_lock(hashtextextended('auth ' || :email, 0))")

/**
 * Until the end of the transaction, nobody else signs up with, confirms or has mail sent to this address. The limits
 * per address are counts, and two statements that count at the same time both find room.
 */
export async function lockAddress(db: Db, email: string): Promise<void> {
  await db.query(lock, { email })
}
