import type { updateRequestEmails as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const update = statement(
  'profile.update-request-emails',
  'update profiles set request_emails = :requestEmails where id = :userId',
)

/** Switches emails to the actor about connection requests on or off. Idempotent. */
export async function updateRequestEmails(
  db: Db,
  actor: Actor,
  { requestEmails }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(update, { userId: actor.userId, requestEmails })
  return { requestEmails }
}
