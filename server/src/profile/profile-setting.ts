import type { Db, Statement } from '../db/db.ts'
import type { Params } from '../db/named-parameters.ts'
import type { Actor } from '../lib/actor.ts'

/** The operation of a call that replaces settings in the profile of the actor by its input, and answers with them. Idempotent. */
export function profileSetting<Input extends Params>(update: Statement) {
  return async (db: Db, { userId }: Actor, input: Input): Promise<Input> => {
    await db.query(update, { ...input, userId })
    return input
  }
}
