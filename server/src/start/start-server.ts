import { randomInt } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createDescribePush } from '../alerts/describe-push.ts'
import { noticeFree } from '../alerts/notice-free.ts'
import { remindStillOn } from '../alerts/remind-still-on.ts'
import { type AppDeps, createApp } from '../app.ts'
import { type AuthDeps, createAuthDeps } from '../auth/auth-deps.ts'
import type { CompanyDeps } from '../auth/company/company-deps.ts'
import { applyCompanySettings } from '../auth/company/configure.ts'
import { warnIfSilent } from '../auth/company/oidc-client.ts'
import { recheckIdentities } from '../auth/company/recheck.ts'
import { serveBackups } from '../backup/serve-backups.ts'
import type { Config } from '../config/config.ts'
import { createClockCheck } from '../db/clock-skew.ts'
import { statement } from '../db/db.ts'
import { loadKnownKeys } from '../db/known-secret.ts'
import { describeFailure, openMigrated } from '../db/open.ts'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { WEB_FOLDER } from '../folders.ts'
import { createPoller } from '../jobs/poller.ts'
import { once } from '../lib/once.ts'
import { printable } from '../lib/printable.ts'
import { createRateLimitStore } from '../limits/rate-limit-store.ts'
import { openBus } from '../live/postgres-bus.ts'
import type { Defer } from '../mail/delivery.ts'
import { createMailer, deferRandomly } from '../mail/mailer.ts'
import { createFetchOutside } from '../outside/fetch-outside.ts'
import { circlesAt } from '../presence/who-sees.ts'
import { createPushDelivery } from '../push/delivery.ts'
import { loadPushKey } from '../push/push-key.ts'
import { createSendPush } from '../push/send-push.ts'
import { remindOfRequests } from '../reminders/remind-of-requests.ts'
import { countWeeks } from '../report/count-weeks.ts'
import { cleanUp } from '../retention/clean-up.ts'
import { purgeSessions } from '../retention/purge-sessions.ts'
import { createReconciler } from '../status/reconcile.ts'
import { createAdapters, offered } from '../status/systems.ts'
import { createWebhookDelivery, expireDeliveries } from '../webhooks/delivery.ts'
import { noticeGoals } from '../webhooks/notice-goals.ts'

const CLOSE_FORGOTTEN_EVERY_MS = 60_000
const COMPARE_CLOCKS_EVERY_MS = 60_000
const REMIND_EVERY_MS = 60_000
const RECHECK_EVERY_MS = 600_000
const NOTICE_FREE_EVERY_MS = 15_000
const NOTICE_GOALS_EVERY_MS = 15_000
const CLEAN_UP_EVERY_MS = 3_600_000
const COUNT_EVERY_MS = 3_600_000
/** Each process counts at a random time of this, so that one of them counts and the others find nothing to do. */
const COUNT_WITHIN_MS = 600_000
/** How long a server still answers after SIGTERM: a proxy notices in this time. */
const DRAIN_MS = 2_000

const hasAccounts = statement('start.has-accounts', 'select exists (select from auth.users) as "hasAccounts"')

export interface RunningServer {
  /** Whether anybody has an account. */
  hasAccounts: boolean
  /** A line for the terminal: how this server sends email. */
  mailNote: string
  /** `isDraining`: answers for 2 more seconds first, if another server may take over. */
  stop(options?: { isDraining?: boolean }): Promise<void>
}

interface Start {
  /** May add to the app before it listens. */
  extend?: (app: FastifyInstance, deps: AuthDeps) => Promise<void>
  /** When emails are sent; default: after a random delay. */
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
  await closeForgotten()
  const auth = await createAuthDeps({
    config,
    db,
    keys,
    mailer,
    publish: bus.publish,
    limitStore: createRateLimitStore(),
    now,
  })
  const ended = await applyCompanySettings(auth, config.company, now())
  for (const sessionId of ended) bus.publish({ kind: 'session', id: sessionId })
  const stopping = new AbortController()
  const loadKey = once(() => loadPushKey(auth))
  if (config.push !== 'off') await loadKey()
  const app = await createApp({
    ...auth,
    mailer,
    db,
    webRoot: WEB_FOLDER,
    bus,
    callLimitStore,
    stopping: stopping.signal,
  })
  await extend(app, auth)
  const stopBackups =
    db.engine === 'embedded'
      ? await serveBackups({ config, db, now, onError: (error) => app.log.error(error, 'making a backup') })
      : null
  const address = `HOST ${config.host}, PORT ${config.port}`
  await describeFailure(`The server cannot listen (${address})`, app.listen({ port: config.port, host: config.host }))
  mailer.start()
  const logError = (what: string) => (error: unknown) => app.logFailure(error, what)
  const closing = setInterval(
    () => void closeForgotten().catch(logError('closing forgotten focus sessions')),
    CLOSE_FORGOTTEN_EVERY_MS,
  )
  const checkClock = createClockCheck(db, now, (sentence) => app.log.warn(sentence))
  void checkClock().catch(logError('comparing clocks'))
  const comparingClocks = setInterval(
    () => void checkClock().catch(logError('comparing clocks')),
    COMPARE_CLOCKS_EVERY_MS,
  )
  const reminding = setInterval(
    () => void remindOfRequests(auth, now()).catch(logError('emailing about connection requests')),
    REMIND_EVERY_MS,
  )
  const companyDeps: CompanyDeps = { ...auth, logError: (err, what) => app.log.warn({ err }, what) }
  if (config.company) void warnIfSilent(companyDeps)
  const pushes = createPushDelivery({
    db,
    send: createSendPush({ config, loadKey, now }),
    describe: createDescribePush(db, config.circleSize),
    now,
    warn: (push) => app.log.warn(push, 'a push message was not sent'),
    onError: logError('sending push messages'),
  })
  if (config.push !== 'off') pushes.start()
  const adapters = createAdapters(config.chat, config.webhookAllow)
  const hasChats = offered(adapters).length > 0
  const reconciler = hasChats
    ? createReconciler({
        ...{ db, bus, keys, adapters, mailer, now },
        warn: (what) => app.log.warn(what, 'a status in a chat was not set'),
        onError: logError('setting a status in a chat'),
      })
    : null
  reconciler?.start()
  const noticing = setInterval(
    () => void noticeAndRemind().catch(logError('noticing who is free')),
    NOTICE_FREE_EVERY_MS,
  )
  const webhooks = createWebhookDelivery({
    ...{ db, keys, now, publicUrl: config.publicUrl },
    fetchOutside: createFetchOutside({ allow: config.webhookAllow }),
    onFailure: mailer.kick,
    onError: logError('sending to webhooks'),
  })
  const noticingGoals = setInterval(
    () => void noticeGoalsAndExpire().catch(logError('noticing goals for webhooks')),
    NOTICE_GOALS_EVERY_MS,
  )
  if (config.webhooks) webhooks.start()
  const rechecking = setInterval(
    () => void recheckIdentities(companyDeps, now()).catch(logError('asking identity providers')),
    RECHECK_EVERY_MS,
  )
  const cleaning = setInterval(() => void purge().catch(logError('purging old rows')), CLEAN_UP_EVERY_MS)
  const counting = createPoller({
    work: async () => {
      await countWeeks(db, config.report, now(), stopping.signal)
      return false
    },
    everyMs: COUNT_EVERY_MS,
    defer: (count) => void setTimeout(count, randomInt(COUNT_WITHIN_MS)).unref(),
    onError: (error) => stopping.signal.aborted || logError('counting weeks for company reports')(error),
  })
  counting.start()

  async function closeForgotten(): Promise<void> {
    await closeForgottenSessions(db, now(), (userId) => bus.publish({ kind: 'presence', id: userId }))
  }

  async function purge(): Promise<void> {
    await cleanUp(db, now())
    if (config.sessionsKeptMonths !== null) await purgeSessions(db, config.sessionsKeptMonths, now())
  }

  async function noticeAndRemind(): Promise<void> {
    for (const userId of await noticeFree(db, now(), circlesAt(config.circleSize, now())))
      bus.publish({ kind: 'alerts', id: userId })
    if (config.push === 'off') return
    await remindStillOn(db, now())
    pushes.kick()
  }

  async function noticeGoalsAndExpire(): Promise<void> {
    if (!config.webhooks) return
    await noticeGoals(db, now())
    await expireDeliveries(db, now())
    webhooks.kick()
  }

  const [found] = await db.query<{ hasAccounts: boolean }>(hasAccounts)
  return {
    hasAccounts: found?.hasAccounts === true,
    mailNote: mailer.describe(keys),
    async stop({ isDraining = false } = {}) {
      stopping.abort()
      // Nobody else serves an embedded database.
      if (isDraining && db.engine === 'postgresql') await pause(DRAIN_MS)
      clearInterval(closing)
      clearInterval(comparingClocks)
      clearInterval(reminding)
      clearInterval(noticing)
      clearInterval(noticingGoals)
      clearInterval(rechecking)
      clearInterval(cleaning)
      await Promise.all([app.close(), stopBackups?.()])
      await Promise.all([mailer.stop(), pushes.stop(), reconciler?.stop(), webhooks.stop(), counting.stop()])
      await bus.close()
      await db.close()
    },
  }
}
