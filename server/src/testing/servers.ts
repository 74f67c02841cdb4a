import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type ChildServer, startChildServer } from './child-server.ts'
import { expectAcknowledged } from './invariants.ts'
import { keepSwitching, type Switching } from './keep-switching.ts'
import { type MadeUser, makeUser } from './make.ts'
import { startTestApp, type TestApp } from './test-app.ts'
import { withDirectUrl } from './test-database.ts'
import { until } from './until.ts'
import { WITHOUT_DAILY_LIMIT } from './without-limits.ts'

const UNLIMITED = fileURLToPath(new URL('../../dist/testing/unlimited-server.js', import.meta.url))

/** Several servers as child processes, on one PostgreSQL. */
export interface Servers {
  /** An app in this process, on the same database, with the real time. */
  testApp: TestApp
  people: MadeUser[]
  start(env?: Record<string, string>): Promise<ChildServer>
  switching(servers: ChildServer[]): Switching
  /** `expectAcknowledged` of invariants.ts for all users. */
  expectAcknowledged(switching: Switching): Promise<void>
  close(): Promise<void>
}

export async function openServers(databaseUrl: string): Promise<Servers> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-servers-'))
  const shared = withDirectUrl({
    DATABASE_URL: databaseUrl,
    DEEB_SECRET: 'ab'.repeat(32),
    PUBLIC_URL: 'http://localhost:3000',
  })
  const testApp = await startTestApp(shared)
  testApp.clock.set(new Date().toISOString())
  const people = [await makeUser(testApp), await makeUser(testApp), await makeUser(testApp)]
  const started: ChildServer[] = []
  await testApp.db.script(WITHOUT_DAILY_LIMIT)
  return {
    testApp,
    people,
    async start(env = {}) {
      const server = await startChildServer({ ...shared, DATA_DIR: dataDir, ...env }, { program: UNLIMITED })
      started.push(server)
      return server
    },
    switching: (servers) =>
      keepSwitching(
        servers.map(({ origin }) => origin),
        people,
      ),
    expectAcknowledged: (switching) => expectAcknowledged(testApp, people, switching),
    async close() {
      for (const server of started) await server.stop('SIGKILL')
      await testApp.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Restarts the servers one after the other, each while `done` counts on: at least 20 things before, during and after it. */
export async function restartOneByOne(servers: ChildServer[], done: () => number): Promise<void> {
  const more = (count: number) => {
    const enough = done() + count
    return until(() => done() > enough)
  }
  for (const server of servers) {
    await more(20)
    expect(await server.stop('SIGTERM')).toBe(0)
    await more(20)
    await server.start()
  }
  await more(20)
}
