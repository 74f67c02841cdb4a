// Runs in npm run test:all, on PostgreSQL.
import { startFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { type Database, openPostgres } from '../db/db.ts'
import { openStream } from '../testing/live.ts'
import { makeConnection, makeUser } from '../testing/make.ts'
import { startTestApp } from '../testing/test-app.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'

const SWITCHES = 20

describe.skipIf(inject('template').engine === 'embedded')('several servers on one database', () => {
  test.each([1, 2, 4, 8])('%i servers read the presence of a switch where somebody may receive it', async (count) => {
    const url = await createTestDatabase()
    const env = { DATABASE_URL: url, DEEB_SECRET: 'ab'.repeat(32) }
    let rowsRead = 0
    async function counting(): Promise<Database> {
      const db = await openPostgres(url)
      return {
        ...db,
        async query<Row>(...args: Parameters<Database['query']>) {
          const rows = await db.query<Row>(...args)
          if (args[0].name === 'presence.read') rowsRead += rows.length
          return rows
        },
      }
    }
    const servers = await Promise.all(Array.from({ length: count }, async () => startTestApp(env, await counting())))
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))))
    const [first] = servers
    if (!first) throw new Error('There should be a server.')
    const people = await Promise.all(Array.from({ length: SWITCHES }, () => makeUser(first)))
    const watcher = await makeUser(first)
    for (const person of people) await makeConnection(first, person, watcher)
    // On each other server, somebody who knows none of them.
    const streams = await Promise.all(
      servers.map(async (server) => openStream(server, server === first ? watcher : await makeUser(first))),
    )
    rowsRead = 0
    for (const [n, person] of people.entries()) {
      const server = servers[n % servers.length] ?? first
      await server.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, person)
    }
    await until(() => streams[0]?.of('presence').length === SWITCHES)
    console.log(`${count} servers: ${rowsRead / SWITCHES} rows of presence read for each switch`)
    expect(rowsRead / SWITCHES).toBeLessThanOrEqual(1.5)
    for (const stream of streams) stream.leave()
  })
})
