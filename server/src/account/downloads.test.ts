// Runs in npm run test:all.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { readMyData } from '@deeb/core/account/api'
import { expect, vi } from 'vitest'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { until } from '../testing/until.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const SESSIONS = 30_000

const test = base
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('account', { scope: 'file' }, ({ app }) => {
    /** A user with 15 MB of sessions: more than the buffers of a connection. */
    async function withHistory(): Promise<MadeUser> {
      const user = await makeUser(app)
      await app.db.script(`
    insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
      select '${user.userId}', gen_random_uuid(), at, at + interval '1 minute', 'UTC', at::date::text, (at::date + 1)::text,
        at + interval '1 day'
      from generate_series(timestamptz '2020-01-01', timestamptz '2020-01-01' + ${SESSIONS - 1} * interval '1 hour', '1 hour') as at`)
      return user
    }
    const data = (user: MadeUser) => app.call(readMyData, {}, user)
    return { withHistory, data }
  })

let origin: string
let ann: MadeUser
test.beforeAll(async ({ app, account }) => {
  origin = await app.app.listen({ host: '127.0.0.1', port: 0 })
  ann = await account.withHistory()
})

/** A download whose client stops reading after the first chunk. */
async function stalled({ accessToken }: MadeUser): Promise<IncomingMessage> {
  const request = get(origin + readMyData.path, { agent: false, headers: { authorization: `Bearer ${accessToken}` } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => undefined)
  return response
}

test('threat 87: a long download is complete and read in chunks of 500 rows', async ({ app, account }) => {
  const query = vi.spyOn(app.db, 'query')
  const { status, body } = await account.data(ann)
  const answers = await Promise.all(query.mock.results.map(({ value }) => value as Promise<unknown[]>))
  query.mockRestore()
  expect(status).toBe(200)
  expect(new Set(body.deeb_sessions?.map(({ id }) => id)).size).toBe(SESSIONS)
  expect(body['auth.users']).toMatchObject([{ id: ann.userId }])
  expect(Math.max(...answers.map((rows) => rows.length))).toBe(500)
})

test('threat 87: rejects a second download of one user while the first runs', async ({ app, account }) => {
  const first = await stalled(ann)
  const second = await account.data(ann)
  expect([second.status, second.error.code]).toEqual([409, 'download_running'])
  expect((await account.data(await makeUser(app))).status).toBe(200)

  // An aborted download allows the next one.
  first.destroy()
  await until(async () => (await account.data(ann)).status === 200)
})

test('threat 87: a download yields to the event loop between chunks', async ({ app, account }) => {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  const { query } = app.db
  const turnOfPiece: number[] = []
  const watching = vi.spyOn(app.db, 'query').mockImplementation((statement, values) => {
    if (statement.name === 'account.data.deeb_sessions.next') turnOfPiece.push(turns)
    return query(statement, values)
  })
  expect((await account.data(ann)).status).toBe(200)
  clearImmediate(next)
  watching.mockRestore()
  expect(turnOfPiece.length).toBeGreaterThan(50)
  expect(new Set(turnOfPiece).size).toBe(turnOfPiece.length)
})

test('threat 87: a stalled download stops reading the database (backpressure) and ends after 15 minutes', async ({
  app,
  account,
}) => {
  const ben = await account.withHistory()
  const query = vi.spyOn(app.db, 'query')
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const response = await stalled(ben)
  const [endDownload] = timers.mock.calls.find(([, ms]) => ms === 15 * 60_000) ?? []
  timers.mockRestore()
  // As the timer does. With fake time, the queries of the download would time out too.
  endDownload?.()
  const closed = new Promise((resolve) => response.on('close', resolve))
  response.resume()
  await closed
  expect(response.complete).toBe(false)
  expect(query.mock.calls.filter(([{ name }]) => name === 'account.data.deeb_sessions.next').length).toBeLessThan(40)
  query.mockRestore()
  await until(async () => (await account.data(ben)).status === 200)
})

test('a download that fails at the start is an ordinary error and does not block the next', async ({
  app,
  account,
}) => {
  const cleo = await makeUser(app)
  expect((await account.data(cleo)).status).toBe(200)
  const { query } = app.db
  const failing = vi.spyOn(app.db, 'query').mockImplementation((statement, values) => {
    if (statement.name === 'account.primary-keys') return Promise.reject(new Error('The database is gone.'))
    return query(statement, values)
  })
  expect((await account.data(cleo)).error.code).toBe('unavailable')
  failing.mockRestore()
  expect((await account.data(cleo)).status).toBe(200)
})
