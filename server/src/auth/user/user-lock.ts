import { type Db, statement } from '../../db/db.ts'

const lock = statement('auth.lock-user', 'select id from auth.users where id = :userId for update')

/**
 * Does `work` in a transaction while nobody opens a session of this person or changes their account. For every statement that
 * ends or lowers sessions: by itself it would not see one that is being opened while it waits. And since all begin with the
 * user, no two wait for each other.
 */
export function changingUser<T>(db: Db, userId: string, work: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction(async (transaction) => {
    await transaction.query(lock, { userId })
    return work(transaction)
  })
}
