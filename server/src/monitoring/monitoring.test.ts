// Runs in npm run test:all.
import { OLDEST_CLIENT_HEADER, OLDEST_SAFE_CLIENT } from '@deeb/core/client-version'
import { readHome } from '@deeb/core/home/api'
import { describe, expect, inject, onTestFinished } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createClockCheck } from '../db/clock-skew.ts'
import { statement } from '../db/db.ts'
import { APPS } from '../testing/apps.ts'
import { openStream } from '../testing/live.ts'
import { makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { startTestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'

const test = base.extend('settings', { scope: 'file' }, APPS).extend('steps', ({ app }) => {
  async function metrics(headers: Record<string, string> = {}) {
    const { statusCode, body } = await app.inject({ url: '/metrics', headers })
    return { status: statusCode, text: body }
  }
  /** The value of one time series. */
  async function measured(series: string): Promise<number> {
    const line = (await metrics()).text.split('\n').find((line) => line.startsWith(`${series} `))
    return Number(line?.slice(series.length + 1))
  }
  return { metrics, measured }
})

describe('GET /metrics', () => {
  test('counts responses by route, and contains no user input', async ({ app, steps }) => {
    const ann = await makeUser(app)
    const call = () => app.call(readHome, { timeZone: 'Europe/Lisbon' }, ann)
    await call()
    const series = 'deeb_http_request_duration_seconds_count{method="GET",route="/api/home",status="200"}'
    const before = await steps.measured(series)
    await call()
    await app.inject(`/app/${ann.userId}?x=Lisbon`)
    expect(await steps.measured(series)).toBe(before + 1)
    const { text } = await steps.metrics()
    for (const word of [ann.userId, ann.email, 'Lisbon', '127.0.0.1']) expect(text).not.toContain(word)
    expect(text).toContain('process_cpu_seconds_total')
  })

  test('reports live streams, the database and unsent email', async ({ app, steps }) => {
    const ann = await makeUser(app)
    const stream = await openStream(app, ann)
    expect(await steps.measured('deeb_live_streams')).toBe(1)
    expect(await steps.measured('deeb_live_people')).toBe(1)
    stream.leave()
    await until(async () => (await steps.measured('deeb_live_streams')) === 0)
    expect(await steps.measured('deeb_db_waiting')).toBe(0)
    expect(await steps.measured('deeb_db_connections{state="idle"}')).toBeGreaterThan(0)
    await app.db.script(`insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)
      select gen_random_uuid(), 'confirm', 'a@b.example', '', '', now(), at
      from (values (now() + interval '1 year'), (now() + interval '1 year'), ('infinity')) as next (at)`)
    expect(await steps.measured('deeb_outbox_mails{state="waiting"}')).toBe(2)
    expect(await steps.measured('deeb_outbox_mails{state="given_up"}')).toBe(1)
  })

  test('reports the age of the oldest email that waits, failing receivers and the silence of a directory', async ({
    startApp,
  }) => {
    const other = await startApp()
    const value = async (series: string) => {
      const { body } = await other.app.inject('/metrics')
      return Number(
        body
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.slice(series.length + 1),
      )
    }
    const names = ['deeb_outbox_oldest_seconds', 'deeb_directory_silent_seconds']
    const receivers = ['webhook', 'push'].map((kind) => `deeb_failing_receivers{kind="${kind}"}`)
    expect(await Promise.all([...names, ...receivers].map(value))).toEqual([0, 0, 0, 0])
    const { userId } = await makeUser(other)
    const before = (minutes: number) =>
      `'${other.clock.now().toISOString()}'::timestamptz - interval '${minutes} minutes'`
    await other.db.script(`insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)
      select gen_random_uuid(), 'confirm', 'a@b.example', '', '', made, next
      from (values (${before(20)}, now()), (${before(5)}, now()), (${before(90)}, 'infinity')) as email (made, next);
      insert into auth.sso_providers (id, key, name, issuer, client_id, created_at, updated_at)
        values ('${userId}', 'acme.example', 'Acme', 'https://id.acme.example', 'deeb', now(), now());
      insert into auth.scim_tokens (id, provider_id, token_hash, created_at, last_used_at) values
        (gen_random_uuid(), '${userId}', 'a', now(), ${before(120)}), (gen_random_uuid(), '${userId}', 'b', now(), ${before(60)});
      insert into webhook_deliveries (id, user_id, endpoint_id, type, data, created_at, expires_at, attempts, next_try_at)
        select gen_random_uuid(), '${userId}', endpoint::uuid, 'focus.started', '{}', now(), now(), attempts, now()
        from (values ('${userId}', 1), ('${userId}', 2), ('00000000-0000-4000-8000-000000000001', 0)) as due (endpoint, attempts)`)
    expect(await Promise.all([...names, receivers[0] ?? ''].map(value))).toEqual([1_200, 3_600, 1])
  })

  test('reports the version, the bus, sent email and refused guesses', async ({ app, steps }) => {
    const { email } = await makeUser(app)
    const before = await steps.measured('deeb_mails_sent_total')
    const signIn = { method: 'POST', url: '/auth/v1/token?grant_type=password' } as const
    for (let n = 1; n <= 8; n++) await app.inject({ ...signIn, payload: { email, password: 'not the password' } })
    await app.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })
    await until(async () => (await steps.measured('deeb_mails_sent_total')) === before + 1)
    expect(await steps.measured('deeb_guesses_refused_total')).toBe(2)
    expect(await steps.measured('deeb_bus_listening')).toBe(1)
    expect(await steps.measured('deeb_bus_gaps_total')).toBe(0)
    expect(await steps.measured('deeb_db_abandoned')).toBe(0)
    expect((await steps.metrics()).text).toMatch(/^deeb_build_info\{version="\d+\.\d+\.\d+.*"\} 1$/m)
  })

  test('reports email that a limit suppressed', async ({ app, clock, steps }) => {
    const { email } = await makeUser(app)
    const ask = (path: string, more = {}) =>
      app.inject({ method: 'POST', url: `/auth/v1/${path}`, payload: { email, ...more } })
    for (let n = 1; n <= 5; n++) await ask('recover')
    for (let n = 1; n <= 2; n++) await ask('resend', { type: 'signup' })
    expect(await steps.measured('deeb_dropped_mails{kind="recovery"}')).toBe(2)
    expect(await steps.measured('deeb_dropped_mails{kind="already"}')).toBe(1)
    clock.advance({ hours: 1 })
    expect((await steps.metrics()).text).not.toContain('deeb_dropped_mails{')
  })

  test.skipIf(inject('template').engine === 'embedded')(
    'reports how far the clock of the server is from that of the database, and warns once when they differ',
    async () => {
      const other = await startTestApp()
      onTestFinished(() => other.close())
      const skewAt = async (seconds: number) => {
        other.clock.set(new Date(Date.now() + seconds * 1000).toISOString())
        await check()
        const { body } = await other.app.inject('/metrics')
        return Number(/^deeb_clock_skew_seconds (\S+)$/m.exec(body)?.[1])
      }
      const warnings: string[] = []
      const check = createClockCheck(other.db, other.clock.now, (sentence) => warnings.push(sentence))
      expect(Math.round((await skewAt(10_800)) / 60)).toBe(180)
      await skewAt(10_800)
      expect(warnings).toEqual([
        expect.stringMatching(/^The clock of this server is 1\d{4} seconds ahead of the clock/),
      ])
      expect(Math.abs(await skewAt(0.5))).toBeLessThan(2)
      expect(Math.round((await skewAt(-120)) / 60)).toBe(-2)
      expect(warnings.slice(1)).toEqual([
        expect.stringContaining('agrees with the clock of the database again'),
        expect.stringContaining('seconds behind the clock of the database'),
      ])
    },
  )

  test('has no figures of the database while it does not answer, by which an alert tells', async () => {
    const other = await startTestApp()
    const ages = async () =>
      (await other.app.inject('/metrics')).body.match(/^deeb_(outbox_oldest|directory_silent)_seconds \d/gm)
    expect(await ages()).toHaveLength(2)
    await other.db.close()
    expect(await ages()).toBeNull()
    await other.app.close()
  })

  test('responds 404 to requests from other machines', async ({ app, steps }) => {
    expect((await steps.metrics()).status).toBe(200)
    expect((await steps.metrics({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(404)
    expect((await steps.metrics({ host: 'deeb.example.com' })).status).toBe(404)
    const remoteAddress = '203.0.113.7'
    expect((await app.inject({ url: '/metrics', remoteAddress })).statusCode).toBe(404)
  })

  test('accepts METRICS_TOKEN from anywhere', async () => {
    const METRICS_TOKEN = 'a-token-of-the-administrator'
    const other = await startTestApp({ METRICS_TOKEN })
    const status = async (headers: Record<string, string>) =>
      (await other.app.inject({ url: '/metrics', headers })).statusCode
    expect(await status({})).toBe(404)
    expect(await status({ authorization: `Bearer ${METRICS_TOKEN}x` })).toBe(404)
    const elsewhere = { host: 'deeb.example.com', 'x-forwarded-for': '203.0.113.7' }
    expect(await status({ ...elsewhere, authorization: `Bearer ${METRICS_TOKEN}` })).toBe(200)
    await other.close()
    expect(() => readConfig({ METRICS_TOKEN: 'short' })).toThrow('METRICS_TOKEN must have at least 16 characters')
  })

  test.for(['via', 'x-real-ip', 'cf-connecting-ip', 'cf-ray', 'true-client-ip', 'x-forwarded'])(
    'threat 94: responds 404 behind a proxy that sends only %s',
    async (name, { steps }) => expect((await steps.metrics({ [name]: '127.0.0.1' })).status).toBe(404),
  )

  test('threat 94: requires the token when PUBLIC_URL is public, also from this machine', async () => {
    const PUBLIC_URL = 'https://deeb.fjordlab.example'
    const METRICS_TOKEN = 'a-token-of-the-administrator'
    const authorization = `Bearer ${METRICS_TOKEN}`
    const statuses = async (env: NodeJS.ProcessEnv) => {
      const other = await startTestApp({ PUBLIC_URL, ...env })
      // Like a proxy on this machine that adds no header.
      const host = '127.0.0.1:3000'
      const ask = (headers: Record<string, string>) =>
        other.app.inject({ url: '/metrics', headers: { host, ...headers } })
      const answers = [await ask({}), await ask({ authorization })]
      await other.close()
      return answers.map(({ statusCode }) => statusCode)
    }
    expect(await statuses({})).toEqual([404, 404])
    expect(await statuses({ METRICS_TOKEN })).toEqual([404, 200])
    expect(await statuses({ PUBLIC_URL: 'http://localhost:3000' })).toEqual([200, 200])
  })

  test('works without the database, and leaves out its metrics', async () => {
    const other = await startTestApp()
    await other.db.close()
    const { statusCode, body } = await other.app.inject('/metrics')
    expect(statusCode).toBe(200)
    expect(body).not.toContain('deeb_outbox_mails{')
    await other.app.close()
  })
})

test('a slow statement is counted, and logged with name and duration but without values', async ({ app, steps }) => {
  const slow = statement('test.slow', 'select pg_sleep(0.3), :secret::text as secret')
  await app.db.query(slow, { secret: 'Valdemar' })
  const lines = app.log.filter((line) => line.includes('test.slow'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, statement: 'test.slow' }])
  expect(JSON.parse(lines[0] ?? '').ms).toBeGreaterThanOrEqual(250)
  expect(lines.join()).not.toContain('Valdemar')
  expect(await steps.measured('deeb_db_slow_statements_total{statement="test.slow"}')).toBe(1)
})

describe('load shedding under overload', () => {
  function blockEventLoop(ms: number) {
    const until = performance.now() + ms
    while (performance.now() < until);
  }

  test('refuses nothing after one long block of the event loop', async ({ app }) => {
    blockEventLoop(3_000)
    for (let round = 0; round < 50; round++) expect((await app.inject('/app')).statusCode).toBe(200)
  })

  test('refuses with Retry-After except for health, metrics and live, and recovers by itself', async ({
    app,
    steps,
  }) => {
    const ask = (url: string) => app.inject(url)
    await until(() => {
      blockEventLoop(1_200)
      return ask('/app').then(({ statusCode }) => statusCode === 503)
    })
    const [api, auth, health, measures, live] = await Promise.all(
      ['/api/home', '/auth/v1/user', '/healthz', '/metrics', '/api/live'].map(ask),
    )
    expect([api?.statusCode, api?.json().code, api?.headers['retry-after']]).toEqual([503, 'unavailable', '5'])
    expect([auth?.statusCode, auth?.json().code]).toEqual([503, 'unexpected_failure'])
    expect(auth?.headers).toMatchObject({ 'retry-after': '5', 'x-supabase-api-version': '2024-01-01' })
    const native = { origin: 'capacitor://localhost' }
    const preflight = await app.inject({ method: 'OPTIONS', url: '/api/home', headers: native })
    const refused = await app.inject({ url: '/api/home', headers: native })
    expect([preflight.statusCode, refused.statusCode]).toEqual([204, 503])
    for (const { headers } of [preflight, refused]) {
      expect(headers['access-control-allow-origin']).toBe('capacitor://localhost')
      expect(headers[OLDEST_CLIENT_HEADER]).toBe(OLDEST_SAFE_CLIENT)
    }
    expect([health?.statusCode, measures?.statusCode, live?.statusCode]).toEqual([200, 200, 401])
    expect(await steps.measured('deeb_shed_requests_total')).toBeGreaterThanOrEqual(3)
    await until(async () => (await ask('/app')).statusCode === 200)
    expect(app.log.filter((line) => line.includes('request failed'))).toEqual([])
  })
})
