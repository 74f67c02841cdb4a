import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config/config.ts'
import { statement } from './db/db.ts'
import { openMigrated } from './db/open.ts'
import { makeUser, PASSWORD } from './testing/make.ts'
import { startTestApp } from './testing/test-app.ts'
import { createTestDatabase, isOnPostgres, withDirectUrl } from './testing/test-database.ts'

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** Control sequences that move the cursor, clear the screen and set the title, with one-byte and two-byte introducers. */
const HOSTILE = 'evil\x9b2J\x1b]0;title\x07'

const userAgents = statement(
  'test.user-agents',
  'select user_agent as text from auth.sessions where user_agent <> :userAgent',
)

// Runs two commands, and each opens the database.
test('threat 93: no control character of others reaches the terminal of the administrator', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-cli-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const env = withDirectUrl({ DATA_DIR: dataDir, ...(isOnPostgres() && { DATABASE_URL: await createTestDatabase() }) })
  const testApp = await startTestApp({}, await openMigrated(readConfig(env)))
  const { email } = await makeUser(testApp)
  const url = '/auth/v1/token?grant_type=password'
  const payload = { email, password: PASSWORD }
  await testApp.app.inject({ method: 'POST', url, payload, headers: { 'user-agent': HOSTILE } })
  expect(await testApp.db.query(userAgents, { userAgent: '' })).toEqual([{ text: 'evil2J]0;title' }])

  // Stored text, and the error of a mail server.
  await testApp.db.query(statement('test.set-user-agent', 'update auth.sessions set user_agent = :userAgent'), {
    userAgent: HOSTILE,
  })
  const fail = statement(
    'test.failed-mail',
    `insert into auth.outbox (id, kind, recipient, subject, body, attempts, last_error, created_at, next_try_at)
    values (gen_random_uuid(), 'confirm', :email, '', '', 12, :error, now(), 'infinity')`,
  )
  await testApp.db.query(fail, { email, error: `550 ${HOSTILE}` })
  await testApp.close()

  const run = (...words: string[]) => promisify(execFile)(process.execPath, [CLI, ...words], { env })
  const { stdout: account } = await run('user', 'list', email)
  const { stdout: emails } = await run('mail', 'failed')
  expect(account).toContain('evil2J]0;title')
  expect(emails).toContain('550 evil2J]0;title')
  expect(account + emails).not.toMatch(/(?![\t\n])\p{Cc}/u)
})
