import { readMyData } from '@deeb/core/account/api'
import { createCalendarLink, readCalendarLink, removeCalendarLink } from '@deeb/core/calendar/api'
import { replaySwitches, setTarget, startFocus, stopFocus } from '@deeb/core/focus/api'
import { addSession, correctSession, discardSession, restoreSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import ical, { type VEvent } from 'node-ical'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { statement } from '../db/db.ts'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { purgeSessions } from '../retention/purge-sessions.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const test = base
  .extend('settings', { scope: 'file' }, { LOG_LEVEL: 'debug' })
  .extend(
    'stores',
    { scope: 'file' },
    {
      limitStore: withoutLimits(),
      callLimitStore: withoutLimits(),
    },
  )
  .extend('calendar', ({ app, clock }) => {
    async function createLink(user = mara): Promise<string> {
      const { status, body } = await app.call(createCalendarLink, {}, user)
      expect(status).toBe(200)
      return new URL(body.url).pathname
    }
    const read = (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers })
    /** The events of a calendar, as an independent parser reads them. */
    async function eventsAt(path: string) {
      const { statusCode, body } = await read(path)
      expect(statusCode).toBe(200)
      return eventsIn(body)
    }
    /** The status of a poll, and the names of the statements that ran for it. */
    async function poll(path: string, etag: string) {
      const query = vi.spyOn(app.db, 'query')
      const { statusCode } = await read(path, { 'if-none-match': etag })
      const names = query.mock.calls.map(([{ name }]) => name)
      query.mockRestore()
      return [statusCode, ...names]
    }
    /** Runs a session between two instants and leaves the clock at its end. Returns its id. */
    async function worked(from: string, to: string, timeZone = 'Europe/Berlin'): Promise<string> {
      clock.set(from)
      const sessionId = uuidv7()
      await app.call(startFocus, { sessionId, timeZone }, mara)
      clock.set(to)
      await app.call(stopFocus, { sessionId }, mara)
      return sessionId
    }
    return { createLink, read, eventsAt, poll, worked }
  })

let mara: MadeUser
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-06-15T06:00:00Z')
  mara = await makeUser(app)
})

function eventsIn(text: string) {
  const events = Object.values(ical.sync.parseICS(text)).filter((part): part is VEvent => part?.type === 'VEVENT')
  return events.map(({ uid, start, end, sequence }) => ({
    id: uid,
    startedAt: start.toISOString(),
    endedAt: end?.toISOString(),
    corrections: Number(sequence),
  }))
}

/** An instant of the day of the tests. */
const at = (time: string) => `2026-06-15T${time}:00.000Z`

describe('a calendar', () => {
  test.for([
    ['forward', '2026-03-28T22:00:00Z', ['2026-03-28T23:30:00Z', '2026-03-29T00:45:00Z', '2026-03-29T01:15:00Z']],
    ['back', '2026-10-24T21:00:00Z', ['2026-10-24T23:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z']],
  ] as const)(
    'has the same sessions as deeb when clocks are set %s',
    async ([_, before, [first = '', second = '', third = '']], { app, clock, calendar }) => {
      clock.set(before)
      mara = await makeUser(app)
      const path = await calendar.createLink()
      await calendar.worked(before, first)
      await calendar.worked(first, second)
      await calendar.worked(second, third)
      const { sessions } = (await app.call(readSessions, {}, mara)).body
      expect(sessions).toHaveLength(3)
      const expected = sessions
        .toReversed()
        .map(({ id, startedAt, endedAt }) => ({ id, startedAt, endedAt, corrections: 0 }))
      expect(await calendar.eventsAt(path)).toEqual(expected)
    },
  )

  test('shows a correction as an update of the same event, and no deleted session', async ({ app, calendar }) => {
    const path = await calendar.createLink()
    const id = await calendar.worked('2026-06-15T07:00:00Z', '2026-06-15T09:00:00Z')
    const [before] = await calendar.eventsAt(path)
    expect(before).toMatchObject({ id, corrections: 0 })
    await app.call(correctSession, { sessionId: id, endedAt: '2026-06-15T08:30:00.000Z' }, mara)
    expect(await calendar.eventsAt(path)).toEqual([{ ...before, endedAt: '2026-06-15T08:30:00.000Z', corrections: 1 }])
    await app.call(discardSession, { sessionId: id }, mara)
    expect(await calendar.eventsAt(path)).toEqual([])
    await app.call(restoreSession, { sessionId: id, endedAt: '2026-06-15T08:30:00.000Z' }, mara)
    expect(await calendar.eventsAt(path)).toEqual([{ ...before, endedAt: '2026-06-15T08:30:00.000Z', corrections: 3 }])
  })

  test('has no open session, and does not reveal by ETag or work that one has begun', async ({
    app,
    clock,
    calendar,
  }) => {
    const path = await calendar.createLink()
    await calendar.worked('2026-06-15T07:00:00Z', '2026-06-15T09:00:00Z')
    const before = await calendar.read(path)
    const sessionId = uuidv7()
    await app.call(startFocus, { sessionId, timeZone: 'UTC', targetMinutes: 50 }, mara)
    const during = await calendar.read(path)
    expect([during.body, during.headers.etag]).toEqual([before.body, before.headers.etag])
    expect(await calendar.poll(path, String(before.headers.etag))).toEqual([304, 'calendar.find-link'])
    await app.call(setTarget, { sessionId, targetMinutes: 90 }, mara)
    expect(await calendar.poll(path, String(before.headers.etag))).toEqual([304, 'calendar.find-link'])
    clock.advance({ hours: 17 })
    await closeForgottenSessions(app.db, clock.now())
    expect((await calendar.eventsAt(path)).map(({ id }) => id)).toContain(sessionId)
  })

  test('follows RFC 5545: CRLF, lines of at most 75 octets, no event that ends when it starts', async ({
    calendar,
  }) => {
    const path = await calendar.createLink()
    await calendar.worked('2026-06-15T07:00:00Z', '2026-06-15T07:00:00Z')
    const { body, headers } = await calendar.read(path)
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="deeb.ics"',
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
    })
    expect(body).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*BEGIN:VEVENT\r\n[\s\S]*END:VEVENT\r\nEND:VCALENDAR\r\n$/)
    expect(body.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    for (const line of body.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(body).toContain('DTSTART:20260615T070000Z')
    expect(body).not.toContain('DTEND')
  })

  test('has a component before the first session, as RFC 5545 demands', async ({ calendar }) => {
    const { body } = await calendar.read(await calendar.createLink())
    expect(body).toMatch(/BEGIN:VTIMEZONE\r\nTZID:UTC\r\n[\s\S]*END:VTIMEZONE\r\nEND:VCALENDAR\r\n$/)
    expect(Object.values(ical.sync.parseICS(body)).map((part) => part?.type)).toContain('VTIMEZONE')
  })

  test('has the sessions of the last 90 days', async ({ clock, calendar }) => {
    const path = await calendar.createLink()
    await calendar.worked('2026-06-15T07:00:00Z', '2026-06-15T09:00:00Z')
    clock.set('2026-09-13T23:59:59Z')
    expect(await calendar.eventsAt(path)).toHaveLength(1)
    const { etag } = (await calendar.read(path)).headers
    clock.set('2026-09-14T00:00:00Z')
    expect((await calendar.read(path, { 'if-none-match': String(etag) })).statusCode).toBe(200)
    expect(await calendar.eventsAt(path)).toEqual([])
  })

  test('loses the sessions that SESSIONS_KEPT_MONTHS purges', async ({ app, clock, calendar }) => {
    const path = await calendar.createLink()
    const id = await calendar.worked('2026-06-15T07:00:00Z', '2026-06-15T09:00:00Z')
    clock.set('2026-08-01T09:00:00Z')
    const { etag } = (await calendar.read(path)).headers
    expect((await calendar.eventsAt(path)).map((event) => event.id)).toEqual([id])
    await purgeSessions(app.db, 1, clock.now())
    expect((await calendar.read(path, { 'if-none-match': String(etag) })).statusCode).toBe(200)
    expect(await calendar.eventsAt(path)).toEqual([])
  })

  test.for([
    [
      'a correction',
      (app: TestApp, id: string) => app.call(correctSession, { sessionId: id, endedAt: at('08:30') }, mara),
    ],
    ['a deletion', (app: TestApp, id: string) => app.call(discardSession, { sessionId: id }, mara)],
    [
      'a session that was added',
      (app: TestApp) =>
        app.call(
          addSession,
          { sessionId: uuidv7(), startedAt: at('05:00'), endedAt: at('05:30'), timeZone: 'UTC' },
          mara,
        ),
    ],
    [
      'switches made offline',
      (app: TestApp) => {
        const sessionId = uuidv7()
        const changes = [
          { to: 'on' as const, sessionId, timeZone: 'UTC', actedAt: at('05:00') },
          { to: 'off' as const, sessionId, actedAt: at('05:30') },
        ]
        return app.call(replaySwitches, { sentAt: at('09:00'), changes }, mara)
      },
    ],
  ] as const)('answers the next poll after %s with the new sessions', async ([_, change], { app, calendar }) => {
    const path = await calendar.createLink()
    const id = await calendar.worked(at('07:00'), at('09:00'))
    const before = await calendar.read(path)
    expect((await change(app, id)).status).toBe(200)
    const after = await calendar.read(path, { 'if-none-match': String(before.headers.etag) })
    expect(after.statusCode).toBe(200)
    expect(eventsIn(after.body)).not.toEqual(eventsIn(before.body))
  })

  test('answers a poll without a change with 304, and reads no session for it', async ({ app, calendar }) => {
    const path = await calendar.createLink()
    await calendar.worked('2026-06-15T07:00:00Z', '2026-06-15T09:00:00Z')
    const etag = String((await app.inject({ method: 'HEAD', url: path })).headers.etag)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      expect(await calendar.poll(path, known)).toEqual([304, 'calendar.find-link'])
      const again = await calendar.read(path, { 'if-none-match': known })
      expect([again.body, again.headers.etag]).toEqual(['', etag])
    }
    expect((await app.inject({ method: 'HEAD', url: path })).statusCode).toBe(200)
  })
})

const allLinks = statement('test.calendar-links', 'select to_jsonb(link)::text as row from calendar_links as link')

describe('the link of a calendar', () => {
  test('is in the answer that creates it, and in no other, nor in the log or the database', async ({
    app,
    calendar,
  }) => {
    const path = await calendar.createLink()
    const token = path.slice('/cal/'.length, -'.ics'.length)
    await calendar.read(path)
    await calendar.read(`${path}x`)
    const { body } = await app.call(readCalendarLink, {}, mara)
    expect(body).toEqual({ link: { createdAt: '2026-06-15T06:00:00.000Z', lastReadAt: '2026-06-15T06:00:00.000Z' } })
    const mine = (await app.call(readMyData, {}, mara)).body
    expect(mine.calendar_links).toMatchObject([{ user_id: mara.userId }])
    const stored = await app.db.query(allLinks)
    for (const secret of [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')]) {
      expect(JSON.stringify([mine, app.log, stored])).not.toContain(secret)
    }
    expect(app.log.join('')).toContain('/cal/:file')
  })

  test('says when it was last read, accurate to an hour', async ({ app, clock, calendar }) => {
    const path = await calendar.createLink()
    const lastRead = async () => (await app.call(readCalendarLink, {}, mara)).body.link?.lastReadAt
    expect(await lastRead()).toBeNull()
    await calendar.read(path)
    clock.advance({ minutes: 60 })
    await calendar.read(path)
    expect(await lastRead()).toBe('2026-06-15T06:00:00.000Z')
    clock.advance({ seconds: 1 })
    await calendar.read(path)
    expect(await lastRead()).toBe('2026-06-15T07:00:01.000Z')
  })

  test('needs a recent re-authentication to be created, but not to be removed', async ({ app, clock, calendar }) => {
    await calendar.createLink()
    clock.advance({ minutes: 16 })
    const refused = await app.call(createCalendarLink, {}, mara)
    expect([refused.status, refused.error.code]).toEqual([403, 'proof_needed'])
    for (const _ of [1, 2]) expect((await app.call(removeCalendarLink, {}, mara)).body).toEqual({ removed: true })
    expect((await app.call(readCalendarLink, {}, mara)).body).toEqual({ link: null })
  })

  test('of two created concurrently, one works', async ({ calendar }) => {
    const paths = await Promise.all([calendar.createLink(), calendar.createLink()])
    const answers = await Promise.all(paths.map((path) => calendar.read(path)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
  })

  test.for(['', '.ics', 'x.ics', `${'A'.repeat(43)}.ics`, `${'A'.repeat(43)}`, `${'A'.repeat(43)}.ics.ics`])(
    'that does not exist is not found: /cal/%s',
    async (file, { calendar }) => {
      expect((await calendar.read(`/cal/${file}`)).statusCode).toBe(404)
    },
  )
})

describe('threat 200: a stolen link of a calendar', () => {
  test('reads the ended sessions of its user, and nothing else', async ({ app, calendar }) => {
    const path = await calendar.createLink()
    const id = await calendar.worked('2026-06-15T07:00:00Z', '2026-06-15T09:00:00Z')
    const { body } = await calendar.read(path)
    expect(eventsIn(body).map((event) => event.id)).toEqual([id])
    for (const secret of [mara.userId, mara.email, 'Europe/Berlin']) expect(body).not.toContain(secret)
    const token = path.slice('/cal/'.length, -'.ics'.length)
    for (const url of ['/api/home?timeZone=UTC', '/api/sessions', '/api/calendar', '/auth/v1/user']) {
      const answer = await calendar.read(url, { authorization: `Bearer ${token}` })
      expect(answer.statusCode).toBeGreaterThanOrEqual(401)
    }
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      expect((await app.inject({ method, url: path })).statusCode).toBe(404)
    }
  })

  test('reads nothing once the link is replaced or removed', async ({ app, calendar }) => {
    const path = await calendar.createLink()
    expect((await calendar.read(path)).statusCode).toBe(200)
    const { etag } = (await calendar.read(path)).headers
    const next = await calendar.createLink()
    expect((await calendar.read(path, { 'if-none-match': String(etag) })).json()).toMatchObject({ code: 'not_found' })
    expect((await calendar.read(next)).statusCode).toBe(200)
    await app.call(removeCalendarLink, {}, mara)
    expect((await calendar.read(next)).statusCode).toBe(404)
  })
})

describe('threat 201: a million reads of calendars', () => {
  let limited: TestApp
  beforeAll(async () => {
    limited = await startTestApp()
  })
  afterAll(() => limited.close())

  const ask = (url: string) => limited.app.inject(url)
  const unknown = () => `/cal/${uuidv7().replaceAll('-', '').padEnd(43, 'A')}.ics`

  test('by unknown links are refused per network, and leave known calendars alone', async () => {
    const [ann, bea] = [await makeUser(limited), await makeUser(limited)]
    const pathOf = async (user: MadeUser) =>
      new URL((await limited.call(createCalendarLink, {}, user)).body.url).pathname
    const [known, other] = [await pathOf(ann), await pathOf(bea)]
    expect((await ask(known)).statusCode).toBe(200)
    const { burst } = LIMITS.unknownCalendar
    for (let i = 0; i < burst; i++) expect((await ask(unknown())).statusCode).toBe(404)
    const query = vi.spyOn(limited.db, 'query')
    const refused = await ask(unknown())
    expect([refused.statusCode, Number(refused.headers['retry-after'])]).toEqual([429, 1])
    expect(query).not.toHaveBeenCalled()
    query.mockRestore()
    expect((await ask(known)).statusCode).toBe(200)
    limited.clock.advance({ seconds: 1 })
    expect((await ask(other)).statusCode).toBe(200)
  })

  test('by one link are refused for this link alone', async () => {
    const [ann, bea] = [await makeUser(limited), await makeUser(limited)]
    const [first, second] = [ann, bea].map(async (user) => {
      return new URL((await limited.call(createCalendarLink, {}, user)).body.url).pathname
    })
    const [path = '', other = ''] = [await first, await second]
    for (let i = 0; i < LIMITS.readCalendar.burst; i++) expect((await ask(path)).statusCode).toBe(200)
    const query = vi.spyOn(limited.db, 'query')
    expect((await ask(path)).statusCode).toBe(429)
    expect(query).not.toHaveBeenCalled()
    query.mockRestore()
    expect((await ask(other)).statusCode).toBe(200)
  })
})

test('a calendar of very many sessions has the newest of them', async ({ app, calendar }) => {
  const path = await calendar.createLink()
  const { max } = LIMITS.calendarEvents
  await app.db.script(`
    insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
      select '${mara.userId}', gen_random_uuid(), at, at + interval '1 minute', 'UTC', at::date::text, (at::date + 1)::text,
        at + interval '1 day'
      from generate_series(timestamptz '2026-06-14T00:00Z' - ${max} * interval '10 minutes', timestamptz '2026-06-14T00:00Z',
        '10 minutes') as at`)
  const events = await calendar.eventsAt(path)
  expect(events).toHaveLength(max)
  expect(events.at(-1)?.startedAt).toBe('2026-06-14T00:00:00.000Z')
})
