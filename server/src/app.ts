import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { accountRoutes } from './account/routes.ts'
import { alertsRoutes } from './alerts/routes.ts'
import type { AuthDeps } from './auth/auth-deps.ts'
import { authRoutes } from './auth/routes.ts'
import { calendarFiles, calendarRoutes } from './calendar/routes.ts'
import { casesRoutes } from './cases/routes.ts'
import { circlesRoutes } from './circles/routes.ts'
import type { Database } from './db/db.ts'
import { createOutageLog } from './db/outage-log.ts'
import { focusRoutes } from './focus/routes.ts'
import { goalsRoutes } from './goals/routes.ts'
import { homeRoutes } from './home/routes.ts'
import { appLinks } from './http/app-links.ts'
import { createHttpServer } from './http/connections.ts'
import { allowOwnOrigins, answerPreflights } from './http/cors.ts'
import { answerErrors, answerMalformedRequest, answerMalformedUrl } from './http/errors.ts'
import { healthRoutes } from './http/health.ts'
import { type LogSink, logAnswers, logTo } from './http/log.ts'
import { createSendNotFoundPage } from './http/not-found-page.ts'
import { describeApi } from './http/openapi.ts'
import { createLimitIps, createLimitRequests, createWithinLimit } from './http/rate-limit.ts'
import { sendSecurityHeaders } from './http/security-headers.ts'
import { createSendCached } from './http/send-cached.ts'
import { serializeLate, serveOn, serveVisitorsOn, validateInputs } from './http/serve.ts'
import { serveFormOn } from './http/serve-form.ts'
import { createSignedIn } from './http/signed-in.ts'
import { staticFiles } from './http/static-files.ts'
import { invitationsRoutes } from './invitations/routes.ts'
import type { Job } from './jobs/job.ts'
import type { EventBus } from './lib/event-bus.ts'
import { once } from './lib/once.ts'
import { LIMITS } from './limits/limits-table.ts'
import { createRateLimitStore, type RateLimitStore } from './limits/rate-limit-store.ts'
import { createHub } from './live/hub.ts'
import { liveRoutes } from './live/routes.ts'
import type { Mailer } from './mail/mailer.ts'
import { outboxRoutes } from './mail/outbox-page.ts'
import { createMetrics } from './monitoring/metrics.ts'
import { metricsRoute } from './monitoring/routes.ts'
import { shedLoad } from './monitoring/shed-load.ts'
import { loadPushKey } from './push/push-key.ts'
import { pushRoutes } from './push/routes.ts'
import { unsubscribePage } from './reminders/unsubscribe-page.ts'
import { reportRoutes } from './report/routes.ts'
import { plainScimUrl, SCIM_PATH, scimRoutes } from './scim/routes.ts'
import { sessionsRoutes } from './sessions/routes.ts'
import { signsRoutes } from './signs/routes.ts'
import { createSignOfToken } from './signs/sign-of-request.ts'
import { signPage } from './signs/sign-page.ts'
import { statsRoutes } from './stats/routes.ts'
import { statusRoutes } from './status/routes.ts'
import { createAdapters } from './status/systems.ts'
import { teamRoutes } from './team/routes.ts'
import { tokensRoutes } from './tokens/routes.ts'
import { visitorForms, visitorRoutes } from './visitors/routes.ts'
import { webhooksRoutes } from './webhooks/routes.ts'

export interface AppDeps extends AuthDeps {
  db: Database
  mailer: Pick<Mailer, 'kick' | 'sentCount'>
  /** The folder of the built web. */
  webRoot: string
  /** The event bus that `publish` writes to. */
  bus: EventBus
  /** Rate limits of signed-in calls; tests replace them. */
  callLimitStore?: RateLimitStore | undefined
  /** For the metrics; default: none. */
  jobs?: readonly Job[]
  /** The target of the log; default: standard output. */
  log?: LogSink
  /** Aborted when the server is about to close. */
  stopping?: AbortSignal
}

/**
 * Graceful shutdown: open requests may finish within this time. Browsers also open connections ahead without a request;
 * these would delay the shutdown by a minute.
 */
const CUT_CONNECTIONS_AFTER_MS = 3_000

/** Creates the whole server, not listening yet. This function is its table of contents. */
export async function createApp(deps: AppDeps): Promise<FastifyInstance> {
  const {
    publish,
    bus,
    callLimitStore = createRateLimitStore(),
    config,
    limitStore,
    db,
    now,
    sessionAlive,
    stopping,
    tokenAlive,
    webRoot,
  } = deps
  const sendCached = createSendCached()
  const sendNotFoundPage = createSendNotFoundPage(sendCached, webRoot)
  const app = Fastify({
    bodyLimit: LIMITS.requestBody.max,
    trustProxy: config.trustProxy,
    genReqId: () => randomUUID(),
    frameworkErrors: answerMalformedUrl(config.publicUrl, sendNotFoundPage),
    clientErrorHandler: answerMalformedRequest,
    ...logTo(deps.log, config),
    schemaController: { compilersFactory: serializeLate },
    forceCloseConnections: 'idle',
    // During shutdown, requests on open connections still get responses, with `connection: close`. The database closes
    // last.
    return503OnClosing: false,
    rewriteUrl: ({ url = '' }) => plainScimUrl(url),
    serverFactory: (handle) => createHttpServer(handle),
  })
  app.removeContentTypeParser('text/plain')
  logAnswers(app)
  sendSecurityHeaders(app, config.publicUrl)
  answerErrors(app, sendNotFoundPage)
  validateInputs(app)
  allowOwnOrigins(app, config)

  const logError = createOutageLog({
    ...{ db, now },
    say: (sentence) => app.log.error(sentence),
    logError: (error, what) => app.log.error(error, what),
  })
  app.decorate('logFailure', logError)
  const hub = createHub({ db, bus, sessionAlive, tokenAlive, now, circleSize: config.circleSize, logError })
  db.onSlow((slow) => app.log.warn({ statement: slow.name, ms: slow.ms }, 'slow statement'))
  const metrics = createMetrics(app, db, { jobs: [], ...deps, hub })
  shedLoad(app, db, metrics.countShed)
  metricsRoute(app, config, metrics)
  healthRoutes(app, db, stopping)
  appLinks(app, config)
  await app.register(
    async (auth) => {
      answerPreflights(auth, '/*')
      await authRoutes(auth, deps)
    },
    { prefix: '/auth/v1' },
  )
  await app.register((scim) => scimRoutes(scim, deps), { prefix: SCIM_PATH })
  await app.register((outbox) => outboxRoutes(outbox, deps))

  await describeApi(app, sendCached)
  const rateLimit = createLimitRequests(callLimitStore, now)
  const signOfToken = createSignOfToken(deps)
  const ipRateLimit = createLimitIps(config, limitStore, now)
  await app.register(async (api) => {
    answerPreflights(api, '/api/*')
    const signedIn = createSignedIn(deps)
    const serve = serveOn(api, { signedIn, rateLimit, now })
    const serveVisitors = serveVisitorsOn(api, { ipRateLimit, now })
    const withinLimit = createWithinLimit(callLimitStore, now)
    const { circleSize, report } = config
    const routeDeps = { serve, db, publish, withinLimit, circleSize, report }
    accountRoutes(api, { ...routeDeps, serveVisitors, signedIn, rateLimit, now, auth: deps })
    alertsRoutes({ ...routeDeps, keys: deps.keys })
    calendarRoutes({ ...routeDeps, config })
    casesRoutes({ ...routeDeps, config, limitStore })
    circlesRoutes({ ...routeDeps, keys: deps.keys })
    focusRoutes(routeDeps)
    goalsRoutes(routeDeps)
    homeRoutes(routeDeps)
    invitationsRoutes({ ...routeDeps, serveVisitors, keys: deps.keys })
    pushRoutes({ ...routeDeps, config, loadKey: once(() => loadPushKey(deps)) })
    reportRoutes(api, { ...routeDeps, signedIn, rateLimit, now })
    sessionsRoutes(routeDeps)
    signsRoutes(api, { ...routeDeps, hub, signOfToken, signedIn, rateLimit, now })
    statsRoutes(routeDeps)
    const adapters = createAdapters(config.chat, config.webhookAllow)
    statusRoutes(api, { ...routeDeps, adapters, auth: deps, ipRateLimit })
    teamRoutes(routeDeps)
    tokensRoutes({ ...routeDeps, auth: deps })
    visitorRoutes({ serve: serveVisitors, db })
    webhooksRoutes({ serve, db, config, keys: deps.keys })
    liveRoutes(api, { hub, signedIn, rateLimit, now })
  })
  await app.register(async (forms) => visitorForms({ serveForm: serveFormOn(forms, { config, ipRateLimit, now }), db }))
  await app.register(async (files) => calendarFiles(files, deps))
  await app.register((page) => signPage(page, { webRoot, signOfToken }))
  await app.register((page) => unsubscribePage(page, { ...deps, ipRateLimit }))

  // Ends the connections that a proxy keeps open, one answer at a time, before the server closes them.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (stopping?.aborted) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), CUT_CONNECTIONS_AFTER_MS).unref()
  })
  await staticFiles(app, { config, webRoot, sendCached, sendNotFoundPage })
  return app
}
