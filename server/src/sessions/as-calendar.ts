import type { Language } from '@deeb/core/languages'
import * as texts from '@deeb/texts/calendar'
import type { EndedSession } from './ended-sessions.ts'

/*
 * iCalendar (RFC 5545). No value is a text of a person or has a comma, and no line is longer than 75 octets, so nothing has to be escaped
 * or folded.
 */

/** Calendars may poll this often. Most decide themselves. */
const POLL_EVERY = 'PT1H'

/**
 * The name of the calendar and the interval are in RFC 7986, and in the properties that calendars knew before it. A calendar must have
 * a component, and one without sessions has only the time zone.
 */
const HEAD = lines(
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//deeb//deeb//EN',
  'NAME:deeb',
  'X-WR-CALNAME:deeb',
  `REFRESH-INTERVAL;VALUE=DURATION:${POLL_EVERY}`,
  `X-PUBLISHED-TTL:${POLL_EVERY}`,
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
)

type Event = Pick<EndedSession, 'id' | 'startedAt' | 'endedAt' | 'corrections'>

const END = lines('END:VCALENDAR')

/** A calendar of focus sessions, in pieces: the head, the events of each chunk, and the end. */
export async function* calendarPieces(
  chunks: AsyncIterable<EndedSession[]>,
  language: Language,
): AsyncGenerator<string> {
  yield HEAD
  for await (const sessions of chunks) yield eventsText(sessions, language)
  yield END
}

/** The same as one text. */
export function calendarText(sessions: Event[], language: Language): string {
  return HEAD + eventsText(sessions, language) + END
}

function eventsText(sessions: Event[], language: Language): string {
  const summary = texts.event({}, { locale: language })
  return sessions.map((session) => eventText(session, summary)).join('')
}

/**
 * One focus session as an event in UTC. Its id is the UID, so that a calendar updates the event after a correction. Free time: a past
 * session must not make its user look busy. An event must not end when it starts: without an end it has no length.
 */
function eventText({ id, startedAt, endedAt, corrections }: Event, summary: string): string {
  return lines(
    'BEGIN:VEVENT',
    `UID:${id}`,
    `SEQUENCE:${corrections}`,
    `DTSTAMP:${utc(endedAt)}`,
    `DTSTART:${utc(startedAt)}`,
    ...(endedAt > startedAt ? [`DTEND:${utc(endedAt)}`] : []),
    `SUMMARY:${summary}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  )
}

function lines(...texts: string[]): string {
  return texts.map((text) => `${text}\r\n`).join('')
}

/** 20261025T003000Z */
function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}
