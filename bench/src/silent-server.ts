// The complete server on PostgreSQL, but without publishing to other processes. The difference is the cost of publishing.
import { createApp } from '../../server/src/app.ts'
import { createAuthDeps } from '../../server/src/auth/auth-deps.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { loadKeys } from '../../server/src/config/keys.ts'
import { openConfigured } from '../../server/src/db/open.ts'
import { WEB_FOLDER } from '../../server/src/folders.ts'
import { createLocalBus } from '../../server/src/lib/event-bus.ts'
import { createRateLimitStore } from '../../server/src/limits/rate-limit-store.ts'
import { createMailer, deferRandomly } from '../../server/src/mail/mailer.ts'
import { stopOnSignal } from '../../server/src/start/stop-on-signal.ts'
import { withoutLimits } from '../../server/src/testing/without-limits.ts'

const now = () => new Date()
const config = readConfig(process.env)
const keys = await loadKeys(config, { mayCreate: true })
const db = await openConfigured(config)
const mailer = createMailer({ config, db, now, log: () => undefined, defer: deferRandomly })
const bus = createLocalBus()
const limitStore = createRateLimitStore()
const auth = await createAuthDeps({ config, db, keys, mailer, publish: bus.publish, limitStore, now })
const callLimitStore = withoutLimits()
const app = await createApp({ ...auth, mailer, db, webRoot: WEB_FOLDER, bus, callLimitStore })
await app.listen({ port: config.port, host: config.host })
stopOnSignal(async () => {
  await app.close()
  await db.close()
})
