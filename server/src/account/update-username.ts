import type { updateUsername as endpoint } from '@deeb/core/account/api'
import { INVALID_USERNAME, normalizeUsername, usernameKey } from '@deeb/core/account/username'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement, violatedConstraint } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const update = statement(
  'account.update-username',
  'update profiles set username = :username, username_key = :usernameKey where id = :userId returning username',
)

/**
 * Sets the username of the user, trimmed. Throws `invalid_input`, `username_taken` if another user has it in any letter case, and
 * `not_signed_in` if the account was deleted.
 */
export async function updateUsername(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const username = normalizeUsername(input.username)
  if (username === null) {
    throw new Refusal('invalid_input', [{ path: 'username', message: INVALID_USERNAME }])
  }
  const rows = await db
    .query(update, { userId: actor.userId, username, usernameKey: usernameKey(username) })
    .catch((error: unknown) => {
      if (violatedConstraint(error) === 'profiles_username_key') throw new Refusal('username_taken')
      throw error
    })
  if (rows.length === 0) throw new Refusal('not_signed_in')
  return { username }
}
