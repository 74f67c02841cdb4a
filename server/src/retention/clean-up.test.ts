import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { dataOf } from '../admin/data.ts'
import { openPostgres, statement } from '../db/db.ts'
import { makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { cleanUp } from './clean-up.ts'
import { RETENTION } from './retention.ts'

const test = base
  /** Inserts two rows into each purged table: one minute too young for the purge, and one minute too old. */
  .extend(
    'seed',
    ({ app, clock }) =>
      async function seed(userId: string): Promise<void> {
        const rows: [string, string, string][] = [
          [
            'auth.pending_signups (id, email, password_hash, token_hash, created_at, expires_at)',
            "$, 'nobody', '', decode(md5($::text), 'hex'), @, @",
            '7 days',
          ],
          [
            'auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, expires_at)',
            "$, '%', '#', decode(md5($::text), 'hex'), '', @, @",
            '1 day',
          ],
          [
            'auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after)',
            "$, '%', '[]', @, @ + interval '10 days', @",
            '1 day',
          ],
          [
            'auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after)',
            "$, '%', '[]', @, @, @ + interval '90 days'",
            '31 days',
          ],
          [
            'auth.personal_tokens (id, user_id, name, token_hash, scopes, created_at, expires_at)',
            "$, '%', 'x', sha256($::text::bytea), '{}', @ - interval '1 year', @",
            '30 days',
          ],
          ['auth.known_addresses (user_id, ip_key, last_seen)', "'%', $::text, @", '90 days'],
          [
            'auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at, sent_at)',
            "$, '', '', '', '', @, @, @",
            '30 days',
          ],
          [
            'auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)',
            "$, '', '', '', '', @, 'infinity'",
            '30 days',
          ],
          ['auth.audit_log (at, action)', "@, 'login'", '180 days'],
          ['auth.guesses (key, misses, last_at)', 'sha256($::text::bytea), 1, @', '1 day'],
          ['auth.spent_tokens (hash, expires_at)', "decode(md5($::text), 'hex'), @", '0 days'],
          [
            'auth.flow_state (id, provider_id, auth_code_hash, code_challenge, claims, created_at)',
            "$, '?', decode(md5($::text), 'hex'), '', '{}', @",
            '1 hour',
          ],
          [
            'auth.scim_tokens (id, provider_id, token_hash, created_at, expires_at)',
            "$, '?', decode(md5($::text), 'hex'), @, @",
            '0 days',
          ],
          [
            `deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at,
        discarded_at)`,
            "'%', $, '2026-01-01', '2026-01-01', 'UTC', '2026-01-01', '2026-01-02', '2026-01-02', @",
            '8 days',
          ],
          [
            'signs (id, user_id, label, token_hash, shows_name, shows_until, created_at)',
            "$, '%', 'Office', sha256($::text::bytea), false, false, @",
            '365 days',
          ],
          ['click_analytics (id, button_name, page, user_session, created_at)', "$, '', '', '', @", '400 days'],
        ]
        await app.db.script('delete from auth.sessions; delete from auth.audit_log; delete from auth.outbox')
        const at = clock.now().toISOString()
        const providerId = randomUUID()
        await app.db.script(`insert into auth.sso_providers (id, key, name, issuer, client_id, created_at, updated_at)
    values ('${providerId}', 'fjordlab.example', '', '', '', '${at}', '${at}')`)
        for (const [into, values, age] of rows) {
          for (const [type, more] of [
            ['recovery', "- interval '1 minute'"],
            ['email_change', "+ interval '1 minute'"],
          ]) {
            const row = values
              .replaceAll('@', `(timestamptz '${at}' - interval '${age}' ${more})`)
              .replaceAll('$', `uuid '${randomUUID()}'`)
              .replaceAll('%', userId)
              .replaceAll('?', providerId)
              .replaceAll('#', type ?? '')
            await app.db.script(`insert into ${into} values (${row})`)
          }
        }
        // Rows of whole dates have a test of their own.
        await app.db.script('delete from daily_start_counts')
      },
  )

test('every table has a retention rule', async ({ app }) => {
  const read = statement(
    'test.tables',
    `select case table_schema when 'public' then table_name else table_schema || '.' || table_name end as name
    from information_schema.tables where table_schema in ('public', 'auth')`,
  )
  const tables = (await app.db.query<{ name: string }>(read)).map(({ name }) => name)
  expect(Object.keys(RETENTION).sort()).toEqual(tables.sort())
})

test('the data list has the retention rule of each table', async ({ app }) => {
  const list = await dataOf(app.db, 'en')
  for (const [table, rule] of Object.entries(RETENTION)) {
    const [, section = ''] = list.split(`### ${table}\n`)
    expect(section.split('\n### ')[0], table).toContain(` Kept: ${typeof rule === 'string' ? rule : rule.until}.`)
  }
})

test('purges counts of starts 10 days after their date', async ({ app, clock }) => {
  const { userId } = await makeUser(app)
  clock.set('2026-06-15T00:00:00Z')
  await app.db.script(`insert into daily_start_counts (user_id, date, starts)
    select '${userId}', date, 1 from (values ('2026-06-04'), ('2026-06-05')) as dates (date)`)
  expect(await cleanUp(app.db, clock.now())).toEqual({ daily_start_counts: 1 })
  clock.set('2026-06-16T00:00:00Z')
  expect(await cleanUp(app.db, clock.now())).toEqual({ daily_start_counts: 1 })
})

test('purges rows older than their retention, and no younger ones (threat 218: guesses too)', async ({
  app,
  clock,
  seed,
}) => {
  const { userId } = await makeUser(app)
  await seed(userId)
  const removed = await cleanUp(app.db, clock.now())
  expect(removed).toEqual({
    'auth.pending_signups': 1,
    'auth.one_time_tokens': 1,
    'auth.flow_state': 1,
    'auth.guesses': 1,
    'auth.spent_tokens': 1,
    'auth.personal_tokens': 1,
    'auth.scim_tokens': 1,
    'auth.sessions': 2,
    'auth.known_addresses': 1,
    'auth.outbox': 2,
    'auth.audit_log': 1,
    deeb_sessions: 1,
    signs: 1,
    click_analytics: 1,
  })
  expect(await cleanUp(app.db, clock.now())).toEqual({})
  clock.advance({ minutes: 2 })
  expect(await cleanUp(app.db, clock.now())).toEqual(removed)
})

test('purges wishes that lapsed or were not seen, and push messages an hour after they were worth sending', async ({
  app,
  clock,
}) => {
  const { userId } = await makeUser(app)
  const targets = await Promise.all([1, 2, 3, 4].map(() => makeUser(app)))
  clock.set('2026-07-01T12:00:00Z')
  const times = [
    ["'2026-07-01T08:01Z'", 'null'],
    ["'2026-07-01T07:59Z'", 'null'],
    ["'2026-06-30T11:00Z'", "'2026-06-30T12:01Z'"],
    ["'2026-06-30T11:00Z'", "'2026-06-30T11:59Z'"],
  ]
  const rows = targets.map((target, n) => `('${userId}', '${target.userId}', ${times[n]?.join(', ')})`)
  await app.db.script(`insert into free_alerts (watcher_id, target_id, asked_at, due_at) values ${rows.join(', ')};
    with browser as (
      insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth_secret, created_at)
      select id, user_id, '${userId}', decode(repeat('04', 65), 'hex'), decode(repeat('01', 16), 'hex'), created_at
      from auth.sessions where user_id = '${userId}' returning session_id, user_id
    )
    insert into push_messages (id, user_id, session_id, kind, about, created_at, expires_at, next_try_at)
    select gen_random_uuid(), user_id, session_id, 'free', gen_random_uuid(), at, at, at
    from browser, (values (timestamptz '2026-07-01T10:59Z'), ('2026-07-01T11:01Z')) as times (at)`)
  expect(await cleanUp(app.db, clock.now())).toMatchObject({ free_alerts: 2, push_messages: 1 })
  await app.db.script('delete from free_alerts; delete from push_messages; delete from push_subscriptions')
})

test('purges an unanswered challenge after an hour', async ({ app, clock }) => {
  const { userId } = await makeUser(app)
  const at = clock.now().toISOString()
  await app.db.script(`
    with factor as (insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
      values (gen_random_uuid(), '${userId}', 'totp', 'verified', '${at}', '${at}') returning id)
    insert into auth.mfa_challenges (id, factor_id, created_at) select gen_random_uuid(), id, '${at}' from factor`)
  clock.advance({ minutes: 59 })
  expect(await cleanUp(app.db, clock.now())).toEqual({})
  clock.advance({ minutes: 2 })
  expect(await cleanUp(app.db, clock.now())).toEqual({ 'auth.mfa_challenges': 1 })
})

test('purges more rows than one batch', async ({ app, clock }) => {
  await app.db.script(`insert into click_analytics (id, button_name, page, user_session, created_at)
    select gen_random_uuid(), '', '', '', '2020-01-01' from generate_series(1, 2500)`)
  expect(await cleanUp(app.db, clock.now())).toEqual({ click_analytics: 2500 })
})

test('only one server purges at a time', async ({ app, clock, skip }) => {
  if (app.db.engine === 'embedded') skip('the embedded database has one server only')
  const url = await createTestDatabase()
  const [one, other] = await Promise.all([openPostgres(url), openPostgres(url)])
  await one.script(`insert into auth.audit_log (at, action) values ('2020-01-01', 'login')`)
  await one.transaction(async (db) => {
    await db.query(statement('test.hold', 'select pg_advisory_xact_lock(7315403)'))
    expect(await cleanUp(other, clock.now())).toEqual({})
  })
  expect(await cleanUp(other, clock.now())).toEqual({ 'auth.audit_log': 1 })
  await Promise.all([one.close(), other.close()])
})
