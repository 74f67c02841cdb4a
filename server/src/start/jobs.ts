import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createDescribePush } from '../alerts/describe-push.ts'
import { forgetKnocks } from '../alerts/knocks.ts'
import { noticeFree } from '../alerts/notice-free.ts'
import { remindStillOn } from '../alerts/remind-still-on.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import type { CompanyDeps } from '../auth/company/company-deps.ts'
import { recheckIdentities } from '../auth/company/recheck.ts'
import { createClockCheck } from '../db/clock-skew.ts'
import type { Database } from '../db/db.ts'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { createJob, type Job, type JobSpec } from '../jobs/job.ts'
import type { EventBus } from '../lib/event-bus.ts'
import type { Mailer } from '../mail/mailer.ts'
import { createFetchOutside } from '../outside/fetch-outside.ts'
import { circlesAt } from '../presence/who-sees.ts'
import { createPushDelivery } from '../push/delivery.ts'
import type { PushKey } from '../push/push-key.ts'
import { createSendPush } from '../push/send-push.ts'
import { beginQuietTimes } from '../quiet/begin-quiet-times.ts'
import { remindOfRequests } from '../reminders/remind-of-requests.ts'
import { countWeeks } from '../report/count-weeks.ts'
import { cleanUp } from '../retention/clean-up.ts'
import { purgeSessions } from '../retention/purge-sessions.ts'
import { createReconciler } from '../status/reconcile.ts'
import { createAdapters, offered } from '../status/systems.ts'
import { createWebhookDelivery, expireDeliveries } from '../webhooks/delivery.ts'
import { noticeGoals } from '../webhooks/notice-goals.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Each process counts at a random time of this, so that one of them counts and the others find nothing to do. */
const COUNT_WITHIN_MS = 600_000

export interface JobsDeps {
  auth: AuthDeps
  app: FastifyInstance
  db: Database
  bus: EventBus
  mailer: Mailer
  company: CompanyDeps
  loadKey(): Promise<PushKey>
  /** Aborted when the server is about to close. It ends long runs between two batches. */
  stopping: AbortSignal
}

/** Ends the focus sessions that have been open for 16 hours. */
export async function closeForgotten(db: Database, bus: EventBus, now: Date): Promise<void> {
  await closeForgottenSessions(db, now, (userId) => bus.publish({ kind: 'presence', id: userId }))
}

/** All that a server does regularly. Emails, push messages and chats have their periods of 15 seconds in their files, webhooks theirs of one. */
export function createJobs(deps: JobsDeps): Job[] {
  const { auth, app, db, bus, mailer, company, stopping } = deps
  const { config, now } = auth
  const onError = (error: unknown, name: string) => error === stopping.reason || app.logFailure(error, name)
  const push = config.push === 'off' ? null : createPushJob(deps, onError)
  const webhooks = config.webhooks ? createWebhooksJob(deps, onError) : null

  async function noticeAndRemind(): Promise<void> {
    const watchers = await noticeFree(db, now(), circlesAt(config.circleSize, now()))
    for (const id of [...watchers, ...(await forgetKnocks(db, now()))]) bus.publish({ kind: 'alerts', id })
    if (!push) return
    await remindStillOn(db, now())
    push.kick()
  }

  async function beginQuiet(): Promise<void> {
    if (config.circleSize === 0) return
    await beginQuietTimes(db, now())
    push?.kick()
  }

  async function noticeGoalsAndExpire(): Promise<void> {
    if (!webhooks) return
    await noticeGoals(db, now())
    await expireDeliveries(db, now())
    webhooks.kick()
  }

  async function purge(): Promise<void> {
    await cleanUp(db, now(), stopping)
    if (config.sessionsKeptMonths !== null) await purgeSessions(db, config.sessionsKeptMonths, now(), stopping)
  }

  const table: Omit<JobSpec, 'onError' | 'now'>[] = [
    {
      name: 'closing forgotten focus sessions',
      everyMs: MINUTE_MS,
      run: () => closeForgotten(db, bus, now()),
    },
    {
      name: 'comparing clocks',
      everyMs: MINUTE_MS,
      run: createClockCheck(db, now, (sentence) => app.log.warn(sentence)),
      runsAtStart: true,
    },
    {
      name: 'emailing about connection requests',
      everyMs: MINUTE_MS,
      run: () => remindOfRequests(auth, now()),
    },
    {
      name: 'noticing who is free',
      everyMs: 15 * SECOND_MS,
      run: noticeAndRemind,
    },
    {
      name: 'beginning quiet times',
      everyMs: 15 * SECOND_MS,
      run: beginQuiet,
    },
    {
      name: 'noticing goals for webhooks',
      everyMs: 15 * SECOND_MS,
      run: noticeGoalsAndExpire,
    },
    {
      name: 'asking identity providers',
      everyMs: 10 * MINUTE_MS,
      run: () => recheckIdentities(company, now(), stopping),
    },
    {
      name: 'purging old rows',
      everyMs: HOUR_MS,
      run: purge,
    },
    {
      name: 'counting weeks for company reports',
      everyMs: HOUR_MS,
      run: () => countWeeks(db, config.report, now(), stopping),
      runsAtStart: true,
      defer: (count) => void setTimeout(count, randomInt(COUNT_WITHIN_MS)).unref(),
    },
  ]
  const jobs = [mailer, push, createChatsJob(deps, onError), webhooks].filter((job) => job !== null)
  return [...jobs, ...table.map((job) => createJob({ ...job, now, onError }))]
}

type OnError = JobSpec['onError']

function createPushJob({ auth: { config, now }, app, db, loadKey }: JobsDeps, onError: OnError): Job {
  return createPushDelivery({
    db,
    send: createSendPush({ config, loadKey, now }),
    describe: createDescribePush(db, config.circleSize),
    now,
    warn: (push) => app.log.warn(push, 'a push message was not sent'),
    onError,
  })
}

function createWebhooksJob({ auth: { config, keys, now }, db, mailer }: JobsDeps, onError: OnError): Job {
  return createWebhookDelivery({
    ...{ db, keys, now, publicUrl: config.publicUrl },
    fetchOutside: createFetchOutside({ allow: config.webhookAllow }),
    onFailure: mailer.kick,
    onError,
  })
}

/** Null if the server offers no chat system. */
function createChatsJob({ auth, app, db, bus, mailer }: JobsDeps, onError: OnError): Job | null {
  const { config, keys, now } = auth
  const adapters = createAdapters(config.chat, config.webhookAllow)
  if (offered(adapters).length === 0) return null
  return createReconciler({
    ...{ db, bus, keys, adapters, mailer, now },
    warn: (what) => app.log.warn(what, 'a status in a chat was not set'),
    onError,
  })
}
