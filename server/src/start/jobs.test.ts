// Runs in npm run test:all.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openPostgres, statement } from '../db/db.ts'
import { freePort } from '../testing/free-port.ts'
import { createTestDatabase, withDirectUrl } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { startServer } from './start-server.ts'

const insert = statement(
  'test.insert-mail',
  `insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)
  values (gen_random_uuid(), 'confirm', 'ann@fjordlab.example', 'Confirm', 'the link', now(), now())`,
)
const readSent = statement('test.sent-emails', 'select from auth.outbox where sent_at is not null')

test.skipIf(inject('template').engine === 'embedded')(
  'a server runs each of its jobs, and stop waits for them before the database closes',
  async () => {
    let answer = () => {}
    const mailServer = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      authOptional: true,
      async onData(stream, _session, done) {
        await stream.toArray()
        answer = done
      },
    })
    mailServer.listen(0, '127.0.0.1')
    await once(mailServer.server, 'listening')
    const url = await createTestDatabase()
    const db = await openPostgres(url)
    const dataDir = await mkdtemp(join(tmpdir(), 'deeb-jobs-'))
    onTestFinished(async () => {
      await db.close()
      await new Promise<void>((resolve) => mailServer.close(resolve))
      await rm(dataDir, { recursive: true })
    })
    await db.query(insert)
    const port = await freePort()
    const { port: mailPort } = mailServer.server.address() as AddressInfo
    const env = {
      ...{ DATABASE_URL: url, DATA_DIR: dataDir, DEEB_SECRET: 'ab'.repeat(32), LOG_LEVEL: 'error', PORT: `${port}` },
      ...{ SMTP_URL: `smtp://127.0.0.1:${mailPort}`, MAIL_FROM: 'deeb <hello@deeb.example>' },
    }
    const server = await startServer(readConfig(withDirectUrl(env)))
    const before = answer
    await until(() => answer !== before)
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const named = (metric: string) =>
      [...metrics.matchAll(new RegExp(`^${metric}\\{name="(.+)"\\} (.+)$`, 'gm'))].map(([, name, value]) => [
        name,
        Number(value),
      ])
    const lastRuns = named('deeb_job_last_run_timestamp_seconds')
    expect(lastRuns.map(([name]) => name)).toEqual([
      'sending emails',
      'sending push messages',
      'sending to webhooks',
      'closing forgotten focus sessions',
      'comparing clocks',
      'emailing about connection requests',
      'noticing who is free',
      'beginning quiet times',
      'noticing goals for webhooks',
      'asking identity providers',
      'purging old rows',
      'counting weeks for company reports',
    ])
    for (const [, at] of lastRuns) expect(Math.abs(Number(at) - Date.now() / 1_000)).toBeLessThan(60)
    expect(named('deeb_job_failures_total')).toEqual(lastRuns.map(([name]) => [name, 0]))
    const stopped = server.stop()
    setTimeout(answer, 500)
    await stopped
    expect(await db.query(readSent)).toHaveLength(1)
  },
)
