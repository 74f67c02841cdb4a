import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../../server/src/db/db.ts'
import { statement } from '../../../server/src/db/db.ts'
import { openEmbedded } from '../../../server/src/db/embedded.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import { countWeeks } from '../../../server/src/report/count-weeks.ts'
import type { Bench } from '../bench.ts'
import type { Dataset } from '../databases.ts'
import { fill } from '../dataset.ts'
import { type DeebServer, startDeeb } from '../deeb-server.ts'
import { figure, median, percentile } from '../figures.ts'
import { BENCH_FOLDER } from '../folders.ts'
import { openLoop, type Sent } from '../open-loop.ts'
import { REPORT } from '../recorded.ts'
import { switches } from '../requests.ts'
import { FULL, QUICK, type Size } from '../size.ts'
import { type Person, signedIn } from '../tokens.ts'

const COUNTING_MAIN = `${BENCH_FOLDER}dist/counting-server.js`

/** All but the special people have a session on each of 17 days: the week that is counted began at most 16 days ago. */
const LARGE: Size = { ...FULL, people: 51_000, company: 50_000, historians: 49_900, historyDays: 17 }
const SMALL: Size = { ...QUICK, people: 3_100, company: 3_000, historians: 2_900, historyDays: 17 }

const ROUNDS = 5
const MAX_COUNT_SECONDS = 30
/** A company of 50,000 at its busiest. */
const SWITCHES_PER_SECOND = 50
/** How long people switch without counting. */
const QUIET_MS = 5_000
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
  const server = await startDeeb({ main: COUNTING_MAIN, databaseUrl: dataset.url })
  const people = await signedIn(1, SWITCHES_PER_SECOND / 2)
  await switchUntil(wait(2 * QUIET_MS), server, people)
  const seconds: number[] = []
  const during: number[] = []
  const without: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await dataset.client.query(AGAIN)
    await dataset.client.query(DUE)
    const beganAtMs = performance.now()
    process.kill(server.pid, 'SIGUSR2')
    const counted = untilCounted(dataset, beganAtMs)
    during.push(...(await switchUntil(counted, server, people)))
    seconds.push(await counted)
    without.push(...(await switchUntil(wait(QUIET_MS), server, people)))
  }
  await server.stop()
  const company = LARGE.company.toLocaleString('en-US')
  report.raw(`counting a week of ${company} people, ${SWITCHES_PER_SECOND} switches a second, seconds`, seconds)
  const [slow, usual] = [percentile(during, 99), percentile(without, 99)]
  report.raw('switch while a week is counted, p99 in ms', [slow])
  report.raw('the same without counting, p99 in ms', [usual])
  report.note(
    `A switch takes ${figure(median(during))} ms in the median while a week is counted, and ${figure(median(without))} ms without. Of ${during.length} and ${without.length} switches.`,
  )
  report.goal({
    what: `counting a week of ${company} people while they switch, PostgreSQL`,
    goal: `at most ${MAX_COUNT_SECONDS} s`,
    figure: `${figure(median(seconds))} s`,
    isReached: median(seconds) <= MAX_COUNT_SECONDS,
  })
  report.goal({
    what: 'p99 of a switch while a week is counted',
    goal: `at most ${MAX_SWITCH_FACTOR} times what it is without`,
    figure: `${figure(slow / usual)} times`,
    isReached: slow <= MAX_SWITCH_FACTOR * usual,
  })
}

/** The latencies of the switches that are due until `done`. */
async function switchUntil(done: Promise<unknown>, { port }: DeebServer, people: Person[]): Promise<number[]> {
  let doneAtMs = Number.POSITIVE_INFINITY
  void done.then(() => {
    doneAtMs = performance.now()
  })
  const sent: Sent[] = []
  const switchers = people.map(switches)
  const request = (n: number) => switchers[n % people.length]?.(Math.floor(n / people.length)) ?? ''
  // In each second everybody switches on and off.
  while (doneAtMs === Number.POSITIVE_INFINITY) {
    sent.push(...(await openLoop(port, request, { perSecond: 2 * people.length, count: 2 * people.length })))
  }
  return sent.filter(({ dueAtMs }) => dueAtMs < doneAtMs).map(({ dueAtMs, answeredAtMs }) => answeredAtMs - dueAtMs)
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

/** How late each of many small statements is answered that is due a millisecond after the one before, until the signal. */
async function waitsUntil(database: Database, signal: AbortSignal): Promise<number[]> {
  const waits: number[] = []
  while (!signal.aborted) {
    // The embedded database works in this process, so the timer is late too.
    const dueAtMs = performance.now() + 1
    await wait(1)
    await database.query(ask)
    waits.push(performance.now() - dueAtMs)
  }
  return waits
}
