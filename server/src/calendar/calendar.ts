import { CALENDAR_DAYS } from '@deeb/core/calendar/api'
import type { Language } from '@deeb/core/languages'
import { type Db, statement } from '../db/db.ts'
import { etagOf, hasEtag } from '../lib/etag.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { calendarText } from '../sessions/as-calendar.ts'
import { ENDED_HASH, endedSince } from '../sessions/ended-sessions.ts'

const DAY_MS = 24 * 3_600_000
const MAX_EVENTS = LIMITS.calendarEvents.max

/*
 * Finds a link and a hash of what its calendar shows. Presence is not part of it: a poll after a start must take as long as one
 * before. Of concurrent reads one notes the time, once an hour; the others do not wait for it.
 */
const find = statement(
  'calendar.find-link',
  `with link as (
    select user_id, last_read_at from calendar_links where token_hash = :tokenHash
  ), due as (
    select calendar_links.user_id from calendar_links join link on link.user_id = calendar_links.user_id
    where coalesce(link.last_read_at < :now::timestamptz - interval '1 hour', true)
    for update of calendar_links skip locked
  ), noted as (
    update calendar_links set last_read_at = :now from due where calendar_links.user_id = due.user_id
  )
  select link.user_id as "userId", coalesce(profiles.language, 'en') as language,
    ${ENDED_HASH('link.user_id')} as "sessionsHash"
  from link join profiles on profiles.id = link.user_id`,
)

interface Link {
  userId: string
  /** The language of the person. */
  language: Language
  sessionsHash: string
}

/** The first instant of the calendar: it has the last 90 days. */
function sinceOf(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS - CALENDAR_DAYS) * DAY_MS)
}

/** The link of this hash. Null if there is none. */
export async function findCalendarLink(db: Db, tokenHash: Buffer, now: Date): Promise<Link | null> {
  const [link] = await db.query<Link>(find, { tokenHash, now, since: sinceOf(now), max: MAX_EVENTS })
  return link ?? null
}

/**
 * Reads the calendar of a link: its ETag, and its text, or null if the client has it already. The ETag is a hash of the sessions and
 * of a sample, which changes with a release that changes the format.
 */
export async function readCalendar(
  db: Db,
  { userId, language, sessionsHash }: Link,
  ifNoneMatch: string | undefined,
  now: Date,
): Promise<{ etag: string; text: string | null }> {
  const etag = etagOf(sessionsHash + calendarText([SAMPLE], language))
  if (hasEtag(ifNoneMatch, etag)) return { etag, text: null }
  return { etag, text: calendarText(await endedSince(db, userId, sinceOf(now), MAX_EVENTS), language) }
}

const SAMPLE = { id: '', startedAt: new Date(0), endedAt: new Date(1000), corrections: 0 }
