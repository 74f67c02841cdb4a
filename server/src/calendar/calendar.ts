import { CALENDAR_DAYS } from '@deeb/core/calendar/api'
import type { Language } from '@deeb/core/languages'
import { type Db, statement } from '../db/db.ts'
import { etagOf, hasEtag } from '../etag.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createLruMap } from '../lru-map.ts'
import { calendarText } from '../sessions/as-calendar.ts'
import { endedSince } from '../sessions/ended-sessions.ts'

const DAY_MS = 24 * 3_600_000
const MAX_CACHED = 10_000

/*
 * Finds a link and what its calendar depends on besides the day: the revision, which grows with each change of a session, and the
 * marks of the purge. Of concurrent reads one notes the time, once an hour; the others do not wait for it.
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
    concat_ws(' ', presence.revision, (select concat_ws(' ', sessions_from, sessions_purged_before) from retention_marks)) as revision
  from link join user_presence as presence on presence.user_id = link.user_id join profiles on profiles.id = link.user_id`,
)

interface Link {
  userId: string
  /** That of the person. */
  language: Language
  revision: string
}

/** A calendar as its link shows it. */
interface Calendar {
  etag: string
  /** Null if the client has the calendar of this ETag already. */
  text: string | null
}

export interface Calendars {
  /** The link of this hash. Null if there is none. */
  find(tokenHash: Buffer, now: Date): Promise<Link | null>
  /** The calendar of a link: the ended focus sessions of the last 90 days. */
  read(tokenHash: Buffer, link: Link, ifNoneMatch: string | undefined, now: Date): Promise<Calendar>
}

/**
 * Reads calendars. The ETag is a hash of the text, so it changes only when the text does: one made of revisions would reveal that a
 * session has begun. A cache says which ETag a revision has, so a poll without a change reads one row.
 */
export function createCalendars(db: Db): Calendars {
  const cache = createLruMap<string, { revision: string; etag: string }>(MAX_CACHED)
  const keyOf = (tokenHash: Buffer) => tokenHash.toString('base64')

  return {
    async find(tokenHash, now) {
      const [link] = await db.query<Link>(find, { tokenHash, now })
      if (!link) cache.delete(keyOf(tokenHash))
      return link ?? null
    },
    async read(tokenHash, { userId, language, revision: ofSessions }, ifNoneMatch, now) {
      const since = new Date(Math.floor(now.getTime() / DAY_MS - CALENDAR_DAYS) * DAY_MS)
      const revision = `${language} ${since.getTime()} ${ofSessions}`
      const cached = cache.get(keyOf(tokenHash))
      if (cached?.revision === revision && hasEtag(ifNoneMatch, cached.etag)) return { etag: cached.etag, text: null }
      const text = calendarText(await endedSince(db, userId, since, LIMITS.calendarEvents.rule.max), language)
      const etag = etagOf(text)
      cache.set(keyOf(tokenHash), { revision, etag })
      return { etag, text: hasEtag(ifNoneMatch, etag) ? null : text }
    },
  }
}
