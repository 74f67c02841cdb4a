import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../server/dist/db/db.js'
import { statement } from '../../../server/dist/db/db.js'
import { openEmbedded } from '../../../server/dist/db/embedded.js'
import { migrate } from '../../../server/dist/db/migrate.js'
import { countWeeks } from '../../../server/dist/report/count-weeks.js'
import type { Bench } from '../bench.ts'
import type { Dataset } from '../databases.ts'
import { fill } from '../dataset.ts'
import { startDeeb } from '../deeb-server.ts'
import { figure, median, percentile } from '../figures.ts'
import { openLoop } from '../open-loop.ts'
import { REPORT } from '../recorded.ts'
import { switches } from '../requests.ts'
import { FULL, QUICK, type Size } from '../size.ts'
import { signedIn } from '../tokens.ts'

/** All but the special people have a session on each of 17 days: the week that is counted began at most 16 days ago. */
const LARGE: Size = { ...FULL, people: 51_000, company: 50_000, historians: 49_900, historyDays: 17 }
const SMALL: Size = { ...QUICK, people: 3_100, company: 3_000, historians: 2_900, historyDays: 17 }

const ROUNDS = 5
const MAX_COUNT_SECONDS = 30
/** A company of 50,000 at its busiest. */
const SWITCHES_PER_SECOND = 50
const SWITCHERS = 200
const MAX_SWITCH_FACTOR = 2
const MAX_WAIT_MS = 50

const DUE = `with company as (
    insert into company_reports values ('large.example', monday_of(to_char(now() - interval '10 days', 'YYYY-MM-DD')))
    on conflict (company_domain) do update set first_week = excluded.first_week)
  select 1`
/** The week of another round. Nothing but a bench does this: a counted week never changes. */
const AGAIN = `alter table company_weeks disable trigger user; delete from company_weeks;
  alter table company_weeks enable trigger user`

/** Measures how long the weeks of a large company take to count, and what that costs those who switch. */
export async function measureReport(bench: Bench): Promise<void> {
  if (bench.isQuick)
    return bench.report.skipped('counting weeks for reports', 'its datasets take too long for the quick run')
  await onPostgres(bench)
  await onEmbedded(bench)
}

async function onPostgres({ databases, report }: Bench): Promise<void> {
  const dataset = await databases.make('report', LARGE)
  const seconds: number[] = []
  const during: number[] = []
  const after: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await dataset.client.query(DUE)
    await dataset.client.query(AGAIN)
    const counting = await switchAfterStart(dataset, null)
    seconds.push(counting.seconds)
    during.push(percentile(counting.switchMs, 99))
    // For as long as that, with nothing to count.
    const idle = await switchAfterStart(dataset, counting.seconds)
    after.push(percentile(idle.switchMs, 99))
  }
  const people = LARGE.company.toLocaleString('en-US')
  report.raw(`counting a week of ${people} people, ${SWITCHES_PER_SECOND} switches a second, seconds`, seconds)
  report.raw('switch while a week is counted, p99 in ms', during)
  report.raw('the same without counting, p99 in ms', after)
  report.goal({
    what: `counting a week of ${people} people while they switch, PostgreSQL`,
    goal: `at most ${MAX_COUNT_SECONDS} s`,
    figure: `${figure(median(seconds))} s`,
    isReached: median(seconds) <= MAX_COUNT_SECONDS,
  })
  const factor = median(during) / median(after)
  report.goal({
    what: 'p99 of a switch while a week is counted',
    goal: `at most ${MAX_SWITCH_FACTOR} times what it is without`,
    figure: `${figure(factor)} times`,
    isReached: factor <= MAX_SWITCH_FACTOR,
  })
}

/**
 * Starts a server, which counts what is due, and switches until the week is counted, or for some seconds. Resolves with that time, and
 * the latencies of the switches in it.
 */
async function switchAfterStart(dataset: Dataset, forSeconds: number | null) {
  const switchers = (await signedIn(1, SWITCHERS)).map(switches)
  const server = await startDeeb({ databaseUrl: dataset.url })
  const beganAtMs = performance.now()
  const pace = { perSecond: SWITCHES_PER_SECOND, count: (forSeconds ?? MAX_COUNT_SECONDS) * SWITCHES_PER_SECOND }
  const request = (n: number) => switchers[n % SWITCHERS]?.(Math.floor(n / SWITCHERS)) ?? ''
  const [sent, seconds] = await Promise.all([
    openLoop(server.port, request, { ...pace, count: Math.ceil(pace.count / (2 * SWITCHERS)) * 2 * SWITCHERS }),
    forSeconds ?? untilCounted(dataset, beganAtMs),
  ])
  await server.stop()
  const within = sent.filter(({ dueAtMs }) => dueAtMs < beganAtMs + seconds * 1000)
  return { seconds, switchMs: within.map(({ dueAtMs, answeredAtMs }) => answeredAtMs - dueAtMs) }
}

async function untilCounted({ client }: Dataset, beganAtMs: number): Promise<number> {
  for (;;) {
    const { rowCount } = await client.query('select 1 from company_weeks')
    const seconds = (performance.now() - beganAtMs) / 1000
    if (rowCount) return seconds
    if (seconds > 10 * MAX_COUNT_SECONDS) throw new Error('The week was not counted.')
    await wait(50)
  }
}

const ask = statement('bench.ask', 'select 1')

async function onEmbedded({ report }: Bench): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-bench-'))
  const database = await openEmbedded(dataDir)
  await migrate(database)
  await fill(database.script, SMALL)
  const longest: number[] = []
  const seconds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await database.script(DUE)
    await database.script(AGAIN)
    const beganAtMs = performance.now()
    const stop = new AbortController()
    const waits = waitsUntil(database, stop.signal)
    await countWeeks(database, REPORT, new Date())
    seconds.push((performance.now() - beganAtMs) / 1000)
    stop.abort()
    longest.push(Math.max(...(await waits)))
  }
  await database.close()
  await rm(dataDir, { recursive: true })
  const people = SMALL.company.toLocaleString('en-US')
  report.raw(`counting a week of ${people} people, embedded, seconds`, seconds)
  report.raw('longest wait of a statement in that time, embedded, ms', longest)
  report.goal({
    what: `longest wait while a week of ${people} people is counted, embedded`,
    goal: `at most ${MAX_WAIT_MS} ms`,
    figure: `${figure(median(longest))} ms`,
    isReached: median(longest) <= MAX_WAIT_MS,
  })
}

/** How long each of many small statements waits, one after the other, until the signal. */
async function waitsUntil(database: Database, signal: AbortSignal): Promise<number[]> {
  const waits: number[] = []
  while (!signal.aborted) {
    const askedAtMs = performance.now()
    await database.query(ask)
    waits.push(performance.now() - askedAtMs)
  }
  return waits
}
