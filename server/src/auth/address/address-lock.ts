import { type Db, statement } from '../../db/db.ts'

const lock = statement('auth.lock-address', "select pg_advisory_xact_lock(hashtextextended('auth ' || :email, 0))")

/**
 * Takes an advisory lock on an address until the end of the transaction. It serializes sign-up, confirmation and emails of one
 * address, because the limits per address are counts: two concurrent statements could both pass.
 */
export async function lockAddress(db: Db, email: string): Promise<void> {
  await db.query(lock, { email })
}
