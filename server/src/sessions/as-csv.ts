import { isTimeZone, localTimeOf } from '@deeb/core/focus/split-by-day'
import { stringify } from 'csv-stringify/sync'
import type { EndedSession } from './ended-sessions.ts'

const COLUMNS = [
  ...['session', 'start_utc', 'end_utc', 'start_local', 'end_local', 'time_zone', 'seconds', 'ended_after_16_hours'],
  ...['corrections', 'interruptions'],
]

/** A CSV text (RFC 4180) of focus sessions, in pieces: the names of the columns, and the rows of each chunk. */
export async function* csvPieces(chunks: AsyncIterable<EndedSession[]>): AsyncGenerator<string> {
  yield csv([COLUMNS])
  for await (const sessions of chunks) yield csv(sessions.map(rowOf))
}

/** Escapes what a spreadsheet would run as a formula: the time zone is a text that a client chose. */
function csv(rows: string[][]): string {
  return stringify(rows, { record_delimiter: 'windows', escape_formulas: true })
}

function rowOf({ id, startedAt, endedAt, timeZone, isCapped, corrections, interruptions }: EndedSession): string[] {
  return [
    id,
    utc(startedAt),
    utc(endedAt),
    local(startedAt, timeZone),
    local(endedAt, timeZone),
    timeZone,
    String((endedAt.getTime() - startedAt.getTime()) / 1000),
    String(isCapped),
    String(corrections),
    String(interruptions),
  ]
}

/* Empty in a time zone that this runtime does not know: the rest of the file must not be lost. */
const local = (instant: Date, timeZone: string) => (isTimeZone(timeZone) ? localTimeOf(instant, timeZone) : '')

const utc = (instant: Date) => instant.toISOString().replace('.000Z', 'Z')
