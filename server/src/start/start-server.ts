import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { serveCommands } from '../admin/serve-commands.ts'
import { type AppDeps, createApp } from '../app.ts'
import { type AuthDeps, createAuthDeps } from '../auth/auth-deps.ts'
import type { CompanyDeps } from '../auth/company/company-deps.ts'
import { applyCompanySettings } from '../auth/company/configure.ts'
import { warnIfSilent } from '../auth/company/oidc-client.ts'
import { firstAccountLink } from '../auth/sign-up/first-account.ts'
import type { Config } from '../config/config.ts'
import { statement } from '../db/db.ts'
import { loadKnownKeys } from '../db/known-secret.ts'
import { describeFailure, openMigrated } from '../db/open.ts'
import { WEB_FOLDER } from '../folders.ts'
import type { Job } from '../jobs/job.ts'
import { once } from '../lib/once.ts'
import { printable } from '../lib/printable.ts'
import { createRateLimitStore } from '../limits/rate-limit-store.ts'
import { openBus } from '../live/postgres-bus.ts'
import type { Defer } from '../mail/delivery.ts'
import { createMailer, deferRandomly } from '../mail/mailer.ts'
import { loadPushKey } from '../push/push-key.ts'
import { checkAfterUpgrade } from './check-after-upgrade.ts'
import { closeForgotten, createJobs } from './jobs.ts'

/** How long a server still answers after SIGTERM: a proxy notices in this time. */
const DRAIN_MS = 2_000

const anyAccount = statement('start.any-account', 'select from auth.users limit 1')

export interface RunningServer {
  /** Creates the first account without an email. Null if there is one, or if nobody can sign up. */
  firstAccountLink: string | null
  /** A line for the terminal: how this server sends email. */
  mailNote: string
  /** `isDraining`: answers for 2 more seconds first, if another server may take over. */
  stop(options?: { isDraining?: boolean }): Promise<void>
}

interface Start {
  /** May add to the app before it listens. */
  extend?: (app: FastifyInstance, deps: AuthDeps) => Promise<void>
  /** The delay of emails; default: random. */
  deferMail?: Defer
  /** Default: that of `createApp`. */
  callLimitStore?: AppDeps['callLimitStore'] | undefined
  /** The clock of the server; default: that of the machine. */
  now?: () => Date
}

/**
 * Opens the database, applies migrations and listens. Throws a message for the terminal if the configuration cannot work.
 * `stop` is a graceful shutdown.
 */
export async function startServer(
  config: Config,
  { extend = async () => undefined, deferMail = deferRandomly, callLimitStore, now = () => new Date() }: Start = {},
): Promise<RunningServer> {
  await describeFailure(
    `DATA_DIR cannot be used (${config.dataDir})`,
    mkdir(config.dataDir, { recursive: true, mode: 0o700 }),
  )
  const db = await openMigrated(config)
  const keys = await loadKnownKeys(config, db, { now: now(), mayLearn: true }).catch(async (error: unknown) => {
    await db.close()
    throw error
  })
  const log = (line: string) => console.log(printable(line))
  const mailer = createMailer({ config, db, now, log, defer: deferMail })
  const bus = await openBus(config.databaseDirectUrl, db)
  await closeForgotten(db, bus, now())
  const limitStore = createRateLimitStore()
  const auth = await createAuthDeps({ config, db, keys, mailer, publish: bus.publish, limitStore, now })
  const ended = await applyCompanySettings(auth, config.company, now())
  for (const id of ended) bus.publish({ kind: 'session', id })
  const stopping = new AbortController()
  const loadKey = once(() => loadPushKey(auth))
  if (config.push !== 'off') await loadKey()
  // They start once the server listens.
  const jobs: Job[] = []
  const deps = { ...auth, mailer, db, bus, jobs, callLimitStore, stopping: stopping.signal }
  const app = await createApp({ ...deps, webRoot: WEB_FOLDER })
  await extend(app, auth)
  const onError = (error: unknown) => app.log.error(error, 'running an administration command')
  const { publish } = bus
  const stopCommands = db.engine === 'embedded' ? await serveCommands({ config, db, publish, now, onError }) : null
  const address = `HOST ${config.host}, PORT ${config.port}`
  await describeFailure(`The server cannot listen (${address})`, app.listen({ port: config.port, host: config.host }))
  const company: CompanyDeps = { ...auth, logError: (err, what) => app.log.warn({ err }, what) }
  jobs.push(...createJobs({ auth, app, db, bus, mailer, company, loadKey, stopping: stopping.signal }))
  for (const job of jobs) job.start()
  if (config.company) void warnIfSilent(company)
  const checked = checkAfterUpgrade(db, auth.companyPolicy)
    .then((lines) => lines.forEach(log))
    .catch((error: unknown) => app.log.error(error, 'checking the data after the upgrade'))
  const isFirst = config.isSignUpOn && (await db.query(anyAccount)).length === 0
  return {
    firstAccountLink: isFirst ? firstAccountLink(config.publicUrl, keys, now()) : null,
    mailNote: mailer.describe(keys),
    async stop({ isDraining = false } = {}) {
      stopping.abort()
      // Nobody else serves an embedded database.
      if (isDraining && db.engine === 'postgresql') await pause(DRAIN_MS)
      await Promise.all([app.close(), stopCommands?.()])
      await Promise.all([checked, ...jobs.map((job) => job.stop())])
      await bus.close()
      await db.close()
    },
  }
}
