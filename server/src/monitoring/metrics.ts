import { statfs } from 'node:fs/promises'
import { LIVE_PATH } from '@deeb/core/live-events'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import { clockSkewSeconds } from '../db/clock-skew.ts'
import { type Database, statement } from '../db/db.ts'
import type { Job } from '../jobs/job.ts'
import type { EventBus } from '../lib/event-bus.ts'
import type { Hub } from '../live/hub.ts'
import { VERSION } from '../version.ts'

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const backlog = statement(
  'metrics.outbox',
  `select (count(*) filter (where next_try_at < 'infinity'))::int as waiting,
    (count(*) filter (where next_try_at = 'infinity'))::int as "givenUp"
  from auth.outbox where sent_at is null`,
)

const oldestEmail = statement(
  'metrics.oldest-email',
  `select extract(epoch from :now::timestamptz - min(created_at))::float as seconds
  from auth.outbox where sent_at is null and next_try_at < 'infinity'`,
)

const droppedEmails = statement(
  'metrics.dropped-emails',
  `select detail ->> 'dropped' as kind, count(*)::int as count from auth.audit_log
  where at > :now::timestamptz - interval '1 hour' and detail ? 'dropped' group by kind`,
)

const leavers = statement(
  'metrics.leavers-without-account',
  'select count(*)::int as count from auth.scim_users where not active and user_id is null',
)

/** Receivers whose newest failure is waiting for another attempt. Each is counted once, however many messages it has. */
const failingReceivers = statement(
  'metrics.failing-receivers',
  `select (select count(distinct endpoint_id) from webhook_deliveries
      where attempts > 0 and leased_until is null and next_try_at < 'infinity')::int as webhook,
    (select count(distinct session_id) from push_messages where attempts > 0 and next_try_at < 'infinity')::int as push`,
)

const silentDirectory = statement(
  'metrics.silent-directory',
  `select extract(epoch from :now::timestamptz - min(asked_at))::float as seconds from (
    select max(last_used_at) as asked_at from auth.scim_tokens
    where (expires_at is null or expires_at > :now)
      and provider_id in (select id from auth.sso_providers where disabled_at is null) group by provider_id
  ) as directories`,
)

export interface Metrics {
  /** All metrics in the Prometheus text format, without those from the database while it does not respond. */
  text(): Promise<string>
  contentType: string
  countShed(): void
}

interface MetricsDeps {
  config: Pick<Config, 'dataDir'>
  hub: Pick<Hub, 'size'>
  bus: Pick<EventBus, 'state'>
  mailer: { sentCount(): number }
  limits: { refusedGuesses(): number }
  oidc: { failures(): number }
  jobs: readonly Job[]
  now(): Date
}

/**
 * The metrics of this process for Prometheus. Label values are names from the code, never user input (bounded cardinality).
 */
export function createMetrics(
  app: FastifyInstance,
  db: Database,
  { config, hub, bus, mailer, limits, oidc, jobs, now }: MetricsDeps,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  measureResponses(app, registry)
  measureDatabase(db, { config, now }, registry)
  measureMail(db, now, registry)
  measureDirectories(db, registry)
  measureOthers(db, now, registry)
  measureJobs(jobs, registry)

  new Gauge({
    ...{ name: 'deeb_live_streams', help: 'Open live streams.', registers },
    collect() {
      this.set(hub.size().streams)
    },
  })
  new Gauge({
    ...{ name: 'deeb_live_people', help: 'Users with an open live stream.', registers },
    collect() {
      this.set(hub.size().users)
    },
  })
  new Gauge({
    ...{
      name: 'deeb_bus_listening',
      help: 'Whether change events of other processes arrive: 1 or 0.',
      registers,
    },
    collect() {
      this.set(bus.state().isListening ? 1 : 0)
    },
  })
  counted(registers, 'deeb_bus_gaps_total', 'Gaps in listening to other processes.', () => bus.state().gaps)
  counted(registers, 'deeb_mails_sent_total', 'Emails that were sent.', mailer.sentCount)
  counted(
    registers,
    'deeb_guesses_refused_total',
    'Guesses at passwords that were refused unseen, because too many before were wrong.',
    limits.refusedGuesses,
  )
  counted(
    registers,
    'deeb_company_sign_ins_failed_total',
    'Company sign-ins that failed because of the identity provider.',
    oidc.failures,
  )
  const build = new Gauge({
    ...{ name: 'deeb_build_info', help: 'The version of the server.', labelNames: ['version'], registers },
  })
  build.set({ version: VERSION }, 1)
  const shed = new Counter({ name: 'deeb_shed_requests_total', help: 'Requests refused by load shedding.', registers })

  return { text: () => registry.metrics(), contentType: registry.contentType, countShed: () => shed.inc() }
}

/** A counter that something else counts. */
function counted(registers: Registry[], name: string, help: string, count: () => number): void {
  new Counter({
    ...{ name, help, registers },
    collect() {
      this.reset()
      this.inc(count())
    },
  })
}

function measureResponses(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'deeb_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  })
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const route = routeOptions.url ?? 'none'
    // A live stream is as long as its client stays: not a response time.
    const isStream = route === LIVE_PATH && reply.statusCode === 200
    if (!isStream) durations.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

function measureDatabase(
  db: Database,
  { now, config: { dataDir } }: Pick<MetricsDeps, 'config' | 'now'>,
  registry: Registry,
): void {
  const registers = [registry]
  new Gauge({
    ...{ name: 'deeb_db_connections', help: 'Connections to the database by state.', labelNames: ['state'], registers },
    collect() {
      const { open, idle } = db.load()
      this.set({ state: 'busy' }, open - idle)
      this.set({ state: 'idle' }, idle)
    },
  })
  new Gauge({
    ...{
      name: 'deeb_db_waiting',
      help: 'Statements that wait for a connection, or for earlier statements on a pipelined one.',
      registers,
    },
    collect() {
      this.set(db.load().waiting)
    },
  })
  new Gauge({
    ...{
      name: 'deeb_db_abandoned',
      help: 'Connections that were given up because PostgreSQL did not answer, and that it may still work for.',
      registers,
    },
    collect() {
      this.set(db.load().abandoned)
    },
  })
  new Gauge({
    ...{
      name: 'deeb_clock_skew_seconds',
      help: "How far this server's clock is ahead of the database's. Absent for the embedded database.",
      registers,
    },
    async collect() {
      this.reset()
      const skew = await clockSkewSeconds(db, now).catch(() => null)
      if (skew === null) this.remove()
      else this.set(skew)
    },
  })
  new Gauge({
    name: 'deeb_db_writes_fail',
    help: 'Whether the last write failed for want of space, by an error of the disk or on a standby: 1 or 0.',
    registers,
    collect() {
      this.set(db.load().failedWrite === null ? 0 : 1)
    },
  })
  new Gauge({
    name: 'deeb_disk_free_bytes',
    help: 'Free space of the disk of DATA_DIR. Only with the embedded database.',
    registers,
    async collect() {
      const disk = db.engine === 'embedded' ? await statfs(dataDir).catch(() => null) : null
      if (disk) this.set(disk.bavail * disk.bsize)
      else this.remove()
    },
  })
  const slow = new Counter({
    name: 'deeb_db_slow_statements_total',
    help: 'Slow statements: 250 ms or longer.',
    labelNames: ['statement'],
    registers,
  })
  db.onSlow(({ name }) => slow.inc({ statement: name }))
}

function measureJobs(jobs: readonly Job[], registry: Registry): void {
  // Not `job`: Prometheus uses that label itself.
  const shared = { labelNames: ['name'], registers: [registry] }
  new Gauge({
    ...{
      name: 'deeb_job_last_run_timestamp_seconds',
      help: 'Unix time at which a job last ended well; before that, its start.',
      ...shared,
    },
    collect() {
      for (const { name, state } of jobs) this.set({ name }, (state().lastRunAt?.getTime() ?? 0) / 1_000)
    },
  })
  new Counter({
    ...{ name: 'deeb_job_failures_total', help: 'Failures of a job.', ...shared },
    collect() {
      this.reset()
      for (const { name, state } of jobs) this.inc({ name }, state().failures)
    },
  })
}

function measureDirectories(db: Database, registry: Registry): void {
  new Gauge({
    name: 'deeb_directory_leavers_without_account',
    help: 'People whom a directory has switched off and who have no account here. Some have never signed in.',
    registers: [registry],
    async collect() {
      const [row] = await db.query<{ count: number }>(leavers).catch(() => [])
      if (row) this.set(row.count)
      else this.remove()
    },
  })
}

function measureMail(db: Database, now: () => Date, registry: Registry): void {
  const registers = [registry]
  new Gauge({
    ...{ name: 'deeb_outbox_mails', help: 'Emails in the outbox that are not sent.', labelNames: ['state'], registers },
    // Every process reads the same value from the database: the maximum, not the sum.
    async collect() {
      this.reset()
      const [row] = await db.query<{ waiting: number; givenUp: number }>(backlog).catch(() => [])
      if (!row) return
      this.set({ state: 'waiting' }, row.waiting)
      this.set({ state: 'given_up' }, row.givenUp)
    },
  })
  new Gauge({
    ...{
      name: 'deeb_dropped_mails',
      help: 'Emails of the last hour that were not written because of a limit.',
      labelNames: ['kind'],
      registers,
    },
    async collect() {
      this.reset()
      const rows = await db.query<{ kind: string; count: number }>(droppedEmails, { now: now() }).catch(() => [])
      for (const { kind, count } of rows) this.set({ kind }, count)
    },
  })
}

/** Whether those outside do what the server needs: receivers, the directories of companies, and the mail server. */
function measureOthers(db: Database, now: () => Date, registry: Registry): void {
  const registers = [registry]
  new Gauge({
    ...{
      name: 'deeb_failing_receivers',
      help: 'Webhooks and browsers whose last message failed and is sent again later.',
      labelNames: ['kind'],
      registers,
    },
    async collect() {
      this.reset()
      const [row] = await db.query<{ webhook: number; push: number }>(failingReceivers).catch(() => [])
      if (!row) return
      this.set({ kind: 'webhook' }, row.webhook)
      this.set({ kind: 'push' }, row.push)
    },
  })
  const directories = 'Time since the quietest directory of a company asked for something; 0 if none ever did.'
  secondsSince('deeb_directory_silent_seconds', directories, silentDirectory)
  secondsSince('deeb_outbox_oldest_seconds', 'Age of the oldest email that waits; 0 if none does.', oldestEmail)

  function secondsSince(name: string, help: string, of: typeof oldestEmail): void {
    new Gauge({
      ...{ name, help, registers },
      async collect() {
        const [row] = await db.query<{ seconds: number | null }>(of, { now: now() }).catch(() => [])
        // Absent while the database does not answer: an alert tells by it.
        if (row) this.set(row.seconds ?? 0)
        else this.remove()
      },
    })
  }
}
