import { FOCUS_SESSIONS_CSV_PATH, FOCUS_SESSIONS_ICS_PATH } from '@deeb/core/account/api'
import { startFocus } from '@deeb/core/focus/api'
import { addSession, correctSession, discardSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { parse } from 'csv-parse/sync'
import ical, { type VEvent } from 'node-ical'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, vi } from 'vitest'
import { makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { freshToken } from '../testing/test-app.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const test = base
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('mara', ({ app }) => makeUser(app))
  .extend('account', ({ app, clock, mara }) => {
    async function download(path: string) {
      const authorization = `Bearer ${await freshToken(app.auth, mara, clock.now())}`
      return app.inject({ url: path, headers: { authorization } })
    }
    async function add(startedAt: string, endedAt: string, timeZone = 'Europe/Berlin'): Promise<string> {
      const sessionId = uuidv7()
      const { status } = await app.call(addSession, { sessionId, startedAt, endedAt, timeZone }, mara)
      expect(status).toBe(200)
      return sessionId
    }
    return { download, add }
  })

test.beforeEach(async ({ clock }) => {
  clock.set('2026-10-25T09:00:00Z')
})

const rows = (text: string): Record<string, string>[] => parse(text, { columns: true, record_delimiter: '\r\n' })

describe('the CSV of all sessions', () => {
  test('has UTC and local times, also in a repeated hour', async ({ app, mara, account }) => {
    const first = await account.add('2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z')
    const second = await account.add('2026-10-25T04:00:00.000Z', '2026-10-25T04:00:30.000Z', 'America/St_Johns')
    await app.call(correctSession, { sessionId: second, endedAt: '2026-10-25T04:01:00.000Z' }, mara)
    const { statusCode, headers, body } = await account.download(FOCUS_SESSIONS_CSV_PATH)
    expect([statusCode, headers['content-type'], headers['content-disposition'], headers['cache-control']]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="deeb-sessions.csv"',
      'no-store',
    ])
    expect(rows(body)).toEqual([
      {
        session: first,
        start_utc: '2026-10-25T00:30:00Z',
        end_utc: '2026-10-25T01:30:00Z',
        start_local: '2026-10-25T02:30:00+02:00',
        end_local: '2026-10-25T02:30:00+01:00',
        time_zone: 'Europe/Berlin',
        seconds: '3600',
        ended_after_16_hours: 'false',
        ...{ corrections: '0', interruptions: '0' },
      },
      {
        session: second,
        start_utc: '2026-10-25T04:00:00Z',
        end_utc: '2026-10-25T04:01:00Z',
        start_local: '2026-10-25T01:30:00-02:30',
        end_local: '2026-10-25T01:31:00-02:30',
        time_zone: 'America/St_Johns',
        seconds: '60',
        ended_after_16_hours: 'false',
        ...{ corrections: '1', interruptions: '0' },
      },
    ])
  })

  test('threat 203: has no formula that a spreadsheet would run', async ({ app, mara, account }) => {
    await app.db.script(`
      insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
      values ('${mara.userId}', gen_random_uuid(), '2026-10-24T08:00Z', '2026-10-24T09:00Z', '=HYPERLINK("https://evil.example","a,b")',
        '2026-10-24', '2026-10-25', '2026-10-25T00:00Z')`)
    const [row] = rows((await account.download(FOCUS_SESSIONS_CSV_PATH)).body)
    expect(row?.time_zone).toBe(`'=HYPERLINK("https://evil.example","a,b")`)
    expect(row?.start_local).toBe('')
    for (const field of Object.values(row ?? {})) expect(field).not.toMatch(/^[=+\-@\t\r]/)
  })
})

test('the calendar file has a component before the first session', async ({ account }) => {
  expect((await account.download(FOCUS_SESSIONS_ICS_PATH)).body).toMatch(
    /BEGIN:VTIMEZONE\r\n[\s\S]*END:VTIMEZONE\r\nEND:VCALENDAR\r\n$/,
  )
})

describe.each([FOCUS_SESSIONS_CSV_PATH, FOCUS_SESSIONS_ICS_PATH])('%s', (path) => {
  test('has all ended sessions of the caller, in chunks, and no open or deleted one', async ({
    app,
    mara,
    account,
  }) => {
    await app.db.script(`
      insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
        select '${mara.userId}', gen_random_uuid(), at, at + interval '1 minute', 'Asia/Kathmandu', at::date::text,
          (at::date + 1)::text, at + interval '1 day'
        from generate_series(timestamptz '2020-01-01', timestamptz '2020-01-01' + 1200 * interval '1 hour', '1 hour') as at`)
    const kept = await account.add('2026-10-24T08:00:00.000Z', '2026-10-24T09:00:00.000Z')
    const deleted = await account.add('2026-10-24T10:00:00.000Z', '2026-10-24T11:00:00.000Z')
    await app.call(discardSession, { sessionId: deleted }, mara)
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, mara)
    const query = vi.spyOn(app.db, 'query')
    const { statusCode, body } = await account.download(path)
    const chunks = query.mock.calls.filter(([{ name }]) => name === 'focus.next-ended').length
    query.mockRestore()
    expect([statusCode, chunks]).toEqual([200, 3])
    const ids = path.endsWith('csv')
      ? rows(body).map(({ session }) => session)
      : Object.values(ical.sync.parseICS(body)).flatMap((part) =>
          part?.type === 'VEVENT' ? [(part as VEvent).uid] : [],
        )
    expect(new Set(ids).size).toBe(1202)
    expect(ids.at(-1)).toBe(kept)
    expect((await app.call(readSessions, {}, mara)).body.sessions.map(({ id }) => id)).toEqual([kept])
  })

  test('is refused while another download of the user runs, and without sign-in', async ({ app, account }) => {
    const { query } = app.db
    const second = vi.fn<() => Promise<number>>()
    const holding = vi.spyOn(app.db, 'query').mockImplementation(async (statement, values) => {
      if (statement.name === 'focus.next-ended') await second()
      return query(statement, values)
    })
    second.mockImplementationOnce(async () => (await account.download(path)).statusCode)
    expect((await account.download(path)).statusCode).toBe(200)
    holding.mockRestore()
    expect(await second.mock.results[0]?.value).toBe(409)
    expect((await app.inject(path)).statusCode).toBe(401)
  })
})
