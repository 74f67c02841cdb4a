import type { removeCalendarLink as endpoint } from '@deeb/core/calendar/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const remove = statement('calendar.remove-link', 'delete from calendar_links where user_id = :userId')

/** Removes the link of the actor's calendar. Idempotent. */
export async function removeCalendarLink(db: Db, { userId }: Actor): Promise<OutputOf<typeof endpoint>> {
  await db.query(remove, { userId })
  return { removed: true }
}
