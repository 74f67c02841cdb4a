import { type Db, statement } from '../db/db.ts'

const lock = statement('focus.lock-person', 'select from profiles where id = :userId for no key update')

/**
 * Until the transaction ends, nobody else who says this goes on for that person: corrections take turns. To be said first. A
 * plain switch goes on beside it.
 */
export async function lockPerson(db: Db, userId: string): Promise<void> {
  await db.query(lock, { userId })
}
