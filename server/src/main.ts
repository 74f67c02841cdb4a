import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createApp } from './app.ts'
import { createAuthDeps } from './auth/auth-deps.ts'
import { loadKeys } from './auth/keys.ts'
import { readConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { inWords, openConfigured } from './db/open.ts'
import { closeForgottenSessions } from './focus/close-forgotten.ts'
import { createMailer } from './mail/mailer.ts'

const STOP_WITHIN_MS = 10_000
const SWEEP_EVERY_MS = 60_000
const WEB_ROOT = fileURLToPath(new URL('../../web/dist/', import.meta.url))

const now = () => new Date()

async function main(): Promise<void> {
  const config = readConfig(process.env)
  await inWords(`DATA_DIR cannot be used (${config.dataDir})`, mkdir(config.dataDir, { recursive: true, mode: 0o700 }))
  const keys = await loadKeys(config)
  const db = await openConfigured(config)
  await migrate(db)
  await closeForgottenSessions(db, now())
  const mailer = createMailer({ config, db, now, log: (line) => console.log(line) })
  const auth = await createAuthDeps({ config, db, keys, mailer, now })
  const app = await createApp({ ...auth, webRoot: WEB_ROOT })
  const place = `PORT ${config.port} on HOST ${config.host}`
  await inWords(`${place} cannot be listened on`, app.listen({ port: config.port, host: config.host }))
  mailer.start()
  const sweep = setInterval(() => {
    closeForgottenSessions(db, now()).catch((error: unknown) => app.log.error(error, 'closing forgotten sessions'))
  }, SWEEP_EVERY_MS)

  console.log(`deeb runs at ${config.publicUrl}`)
  console.log(mailer.describe(keys))

  let stopping = false
  async function stop(): Promise<void> {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    clearInterval(sweep)
    await app.close()
    await mailer.stop()
    await db.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

main().catch((error: Error) => {
  console.error(`deeb cannot start: ${error.message}`)
  process.exit(1)
})
