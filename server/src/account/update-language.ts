import type { updateLanguage as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const update = statement('profile.update-language', 'update profiles set language = :language where id = :userId')

/** Sets the language of the actor. Idempotent. */
export async function updateLanguage(
  db: Db,
  actor: Actor,
  { language }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(update, { userId: actor.userId, language })
  return { language }
}
