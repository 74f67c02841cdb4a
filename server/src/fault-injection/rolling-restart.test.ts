// Runs in npm run test:all, on PostgreSQL.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openServers, restartOneByOne, type Servers } from '../testing/servers.ts'
import { createTestDatabase } from '../testing/test-database.ts'

describe.skipIf(inject('template').engine === 'embedded')('a rolling restart of two servers', () => {
  let servers: Servers
  beforeAll(async () => {
    servers = await openServers(await createTestDatabase())
  })
  afterAll(() => servers.close())

  test('loses no acknowledged switch and counts none twice', async () => {
    const both = await Promise.all([servers.start(), servers.start()])
    const switching = servers.switching(both)
    await restartOneByOne(both, () => switching.acknowledged.size)
    await switching.stop()
    expect(switching.retries()).toBeGreaterThan(0)
    await servers.expectAcknowledged(switching)
  })
})
