import { type Db, statement } from '../../db/db.ts'

const lock = statement('auth.lock-user', 'select id from auth.users where id = :userId for update')

/**
 * Runs `work` in a transaction with a row lock on the user, which serializes sign-ins and changes of one account. Every statement
 * that revokes or downgrades auth sessions needs it, or it would miss one that is being opened concurrently. All callers lock the
 * user first, which prevents deadlocks.
 */
export function withUserLock<T>(db: Db, userId: string, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction(async (transaction) => {
    await transaction.query(lock, { userId })
    return work(transaction)
  })
}
