import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { type ChildServer, startChildServer } from './child-server.ts'
import { keepSwitching, type Switching } from './keep-switching.ts'
import { type MadeUser, makeUser } from './make.ts'
import { expectSettled } from './settled.ts'
import { startTestApp, type TestApp } from './test-app.ts'

/** Servers as processes of their own, on one PostgreSQL. */
export interface Servers {
  /** Looks at the same database from this process, by the real clock. */
  testApp: TestApp
  people: MadeUser[]
  start(env?: Record<string, string>): Promise<ChildServer>
  switching(servers: ChildServer[]): Switching
  /** That all of this was taken once, as it was acknowledged, and nothing else; and nobody was told nonsense. */
  expectKept(switching: Switching): Promise<void>
  close(): Promise<void>
}

const sessions = statement(
  'test.sessions-of',
  `select id, start_time as "startedAt", end_time as "endedAt" from deeb_sessions where user_id = any($1) order by id`,
)

export async function openServers(databaseUrl: string): Promise<Servers> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-servers-'))
  const shared = { DATABASE_URL: databaseUrl, DEEB_SECRET: 'ab'.repeat(32), PUBLIC_URL: 'http://deeb.example' }
  const testApp = await startTestApp(shared)
  testApp.clock.set(new Date().toISOString())
  const people = [await makeUser(testApp), await makeUser(testApp), await makeUser(testApp)]
  const started: ChildServer[] = []
  return {
    testApp,
    people,
    async start(env = {}) {
      const server = await startChildServer({ ...shared, DATA_DIR: dataDir, ...env })
      started.push(server)
      return server
    },
    switching: (servers) =>
      keepSwitching(
        servers.map(({ origin }) => origin),
        people,
      ),
    async expectKept({ acknowledged, surprises }) {
      expect(surprises).toEqual([])
      const rows = await testApp.db.query<{ id: string; startedAt: Date; endedAt: Date | null }>(sessions, [
        people.map(({ userId }) => userId),
      ])
      const kept = rows.map(({ id, startedAt, endedAt }) => ({
        id,
        startedAt: startedAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
      }))
      expect(kept).toEqual([...acknowledged.values()].sort((a, b) => (a.id < b.id ? -1 : 1)))
      for (const person of people) await expectSettled(testApp, person)
    },
    async close() {
      for (const server of started) await server.stop('SIGKILL')
      await testApp.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
