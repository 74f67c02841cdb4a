// The complete server on PostgreSQL, but without publishing to other processes. The difference is the cost of publishing.
import { createApp } from '../../server/dist/app.js'
import { createAuthDeps } from '../../server/dist/auth/auth-deps.js'
import { readConfig } from '../../server/dist/config.js'
import { openConfigured } from '../../server/dist/db/open.js'
import { createLocalBus } from '../../server/dist/event-bus.js'
import { loadKeys } from '../../server/dist/keys.js'
import { createRateLimitStore } from '../../server/dist/limits/rate-limit-store.js'
import { createMailer, deferRandomly } from '../../server/dist/mail/mailer.js'
import { stopOnSignal } from '../../server/dist/stop-on-signal.js'
import { withoutLimits } from '../../server/dist/testing/without-limits.js'

const now = () => new Date()
const config = readConfig(process.env)
const keys = await loadKeys(config, { mayCreate: true })
const db = await openConfigured(config)
const mailer = createMailer({ config, db, now, log: () => undefined, defer: deferRandomly })
const bus = createLocalBus()
const limitStore = createRateLimitStore()
const auth = await createAuthDeps({ config, db, keys, mailer, publish: bus.publish, limitStore, now })
const webRoot = new URL('../../web/dist/', import.meta.url).pathname
const callLimitStore = withoutLimits()
const app = await createApp({ ...auth, mailer, db, webRoot, bus, callLimitStore })
await app.listen({ port: config.port, host: config.host })
stopOnSignal(async () => {
  await app.close()
  await db.close()
})
