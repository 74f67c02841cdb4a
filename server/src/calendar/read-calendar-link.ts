import type { readCalendarLink as endpoint } from '@deeb/core/calendar/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { type Db, lookup } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const read = lookup(
  'calendar.read-link',
  'select created_at as "createdAt", last_read_at as "lastReadAt" from calendar_links where user_id = :userId',
)

/** Whether the actor's calendar has a link, and when it was last read. */
export async function readCalendarLink(db: Db, { userId }: Actor): Promise<OutputOf<typeof endpoint>> {
  const [link] = await db.query<{ createdAt: Date; lastReadAt: Date | null }>(read, { userId })
  if (!link) return { link: null }
  const { createdAt, lastReadAt } = link
  return { link: { createdAt: createdAt.toISOString(), lastReadAt: lastReadAt?.toISOString() ?? null } }
}
