// Runs in npm run test:all, on PostgreSQL.
import { readPeople, readTeam, searchColleagues } from '@deeb/core/team/api'
import { searchWords } from '@deeb/core/team/search-words'
import { expect } from 'vitest'
import { type Statement, statement } from '../db/db.ts'
import type { Params } from '../db/named-parameters.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { READ_PEOPLE } from './read-people.ts'
import { READ_TEAM } from './read-team.ts'
import { searchFor } from './search-colleagues.ts'

/**
 * Adds 10,000 colleagues: 1,600 names, each many times, a third with a username. One company, so no other index is useful.
 */
const fill = statement(
  'test.fill-company',
  `with people as (
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
    select gen_random_uuid(), lower(first || '.' || last || n || '@') || domain, '', now(), now(), now()
    from generate_series(:from::int, :from + 9999) as n cross join lateral (select
      (array['ann','ber','mar','joh','lui','sop','pet','kla'])[1 + n % 8] || (array['a','ta','ia','anna','se'])[1 + n / 8 % 5],
      (array['mey','schm','ber','kra','wag','hof','zim','kel'])[1 + n / 40 % 8] || (array['er','idt','mann','g','son'])[1 + n / 320 % 5],
      'large.example') as made (first, last, domain)
    returning id, email
  ), persons as (
    insert into profiles (id, email, company_domain, first_name, first_name_key, last_name, last_name_key, username, username_key)
    select id, email, split_part(email, '@', 2), first, upper(first), last, upper(last), username, upper(username)
    from (select id, email, split_part(email, '.', 1) as first, substring(email from '[.]([a-z]+)') as last,
      case when hashtext(email) % 3 = 0 then 'user ' || split_part(email, '@', 1) end as username from people) as named
    returning id
  )
  insert into user_presence (user_id) select id from persons`,
)

/** Adds 500 connections of the reader, and 20,000 between others. */
const connect = statement(
  'test.connect-company',
  `insert into team_connections (id, requester_id, receiver_id, status, created_at, updated_at)
  select gen_random_uuid(), case when n <= 500 then :userId else id end, next, 'accepted', now(), now()
  from (select id, lead(id) over (order by id) as next, row_number() over (order by id) as n
    from profiles where company_domain = 'large.example' and id <> :userId) as numbered where n <= 20500`,
)

/** Puts 50,000 people into circles of 50, and one reader into ten of these. */
const encircle = statement(
  'test.encircle-company',
  `with numbered as (
    select id, (row_number() over (order by id) - 1) / 50 as circle from profiles
    where company_domain = 'large.example' and not id = any(:readers::uuid[])
  ), made as (
    insert into circles (id, company_domain, name, created_at)
    select md5(circle::text)::uuid, 'large.example', 'Circle ' || circle, now() from (select distinct circle from numbered) as each
  )
  insert into circle_members (circle_id, user_id, company_domain, joined_at, visible_from)
  select md5(circle::text)::uuid, id, 'large.example', '2026-06-01T00:00Z', '2026-06-01T00:00Z' from (
    select circle, id from numbered union all select n, :userId from generate_series(0, 9) as n
  ) as members`,
)

const test = base
  /** Runs a statement nine times. Returns the executed nodes of the query plans and the median of the milliseconds. */
  .extend(
    'explain',
    ({ app }) =>
      async function explain({ name, text, names }: Statement, params: Params): Promise<{ steps: Node[]; ms: number }> {
        const explained = { name: `explain.${name}`, text: `explain (analyze, format json) ${text}`, names }
        const runs: { Plan: Node; 'Execution Time': number }[] = []
        for (let run = 0; run < 9; run++) {
          const [row] = await app.db.query<{ 'QUERY PLAN': typeof runs }>(explained, params)
          runs.push(...(row?.['QUERY PLAN'] ?? []))
        }
        const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]
        const times = runs.map((run) => run['Execution Time']).sort((a, b) => a - b)
        // All runs: the first few have a custom plan for these values, later ones a generic plan.
        const steps = runs.flatMap((run) => flat(run.Plan)).filter((step) => step['Actual Loops'] > 0)
        return { steps, ms: times[4] ?? 0 }
      },
  )

let me: MadeUser
let encircled: MadeUser
test.beforeAll(async ({ app }) => {
  me = await makeUser(app, { email: 'someone@large.example' })
  for (let from = 1; from < 50_000; from += 10_000) await app.db.query(fill, { from })
  await app.db.query(connect, { userId: me.userId })
  encircled = await makeUser(app, { email: 'in.circles@large.example' })
  await app.db.query(encircle, { userId: encircled.userId, readers: [me.userId, encircled.userId] })
  // As after the maintenance, which may run during this test too.
  await app.db.script('vacuum analyze')
}, 180_000)

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

const results: string[] = []
test.afterAll(({ app }) =>
  console.log(`${app.db.engine}, 50,000 people in the company, median of 9:\n${results.join('\n')}`),
)

test.for([
  'a',
  'x',
  'me',
  'ann',
  'mann',
  'nnake',
  'wagner',
  'e',
  'ex',
  'user',
  'person',
  'large',
  'a m',
  'anna me',
  'ann mann',
  'annanna.wagson',
  'someone@large.example',
])('a search for "%s" among 50,000 colleagues uses the index', async (query, { app, explain }) => {
  const { steps, ms } = await explain(...searchFor(me.userId, searchWords(query)))
  expect(steps.filter((step) => step['Node Type'] === 'Seq Scan' && step['Relation Name'] === 'profiles')).toEqual([])
  // Nearly all rows from the index match: few are filtered out.
  const filteredOut = steps.map(
    (step) => (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Index Recheck'] ?? 0),
  )
  expect(Math.max(...filteredOut)).toBeLessThan(100)
  const { body } = await app.call(searchColleagues, { query }, me)
  results.push(`  ${ms.toFixed(1).padStart(6)} ms  "${query}" (${body.people.length} shown)`)
})

test('reading the people of a company uses the index, in a company of 50,000 and in a small one', async ({
  app,
  explain,
}) => {
  const small = await makeUser(app, { email: 'someone@small.example' })
  await makeUser(app, { email: 'someone.else@small.example' })
  for (const [user, suggested] of [[me, 6] as const, [small, 1] as const]) {
    const { steps, ms } = await explain(READ_PEOPLE, { userId: user.userId })
    const indexes = steps.map((step) => step['Index Name']).filter((name) => name?.startsWith('profiles'))
    expect(new Set(indexes)).toEqual(new Set(['profiles_pkey', 'profiles_company_idx']))
    const scanned = steps.filter((step) => step['Node Type'] === 'Seq Scan').map((step) => step['Relation Name'])
    expect(scanned.filter(Boolean)).toEqual([])
    expect(Math.max(...steps.map((step) => step['Rows Removed by Filter'] ?? 0))).toBeLessThanOrEqual(500)
    expect((await app.call(readPeople, {}, user)).body.people).toHaveLength(suggested)
    results.push(`  ${ms.toFixed(1).padStart(6)} ms  the people of the company of ${user.email}`)
  }
})

test.for(['connections', 'throughCircles'] as const)(
  'reading a team of 500 %s uses indexes',
  async (way, { app, clock, explain }) => {
    const user = way === 'connections' ? me : encircled
    const { steps, ms } = await explain(READ_TEAM, { userId: user.userId, circlesAt: clock.now() })
    const read = steps.filter((step) => step['Node Type'] === 'Seq Scan').map((step) => step['Relation Name'])
    for (const table of ['profiles', 'team_connections', 'user_presence', 'circle_members', 'circles']) {
      expect(read).not.toContain(table)
    }
    expect((await app.call(readTeam, {}, user)).body[way]).toHaveLength(500)
    results.push(`  ${ms.toFixed(1).padStart(6)} ms  the team of 500 ${way}`)
  },
)
