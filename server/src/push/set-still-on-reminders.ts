import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { setStillOnReminders as endpoint } from '@deeb/core/push/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const update = statement(
  'push.set-still-on-reminders',
  'update profiles set still_on_reminders = :remindsStillOn where id = :userId',
)

/** Switches the reminder of an open focus session on or off, for all browsers of the actor. Idempotent. */
export async function setStillOnReminders(
  db: Db,
  actor: Actor,
  { remindsStillOn }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  await db.query(update, { userId: actor.userId, remindsStillOn })
  return { remindsStillOn }
}
