import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openServers, type Servers } from '../testing/servers.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'

describe.skipIf(inject('template').engine === 'embedded')('a rolling restart of two servers', () => {
  let servers: Servers
  beforeAll(async () => {
    servers = await openServers(await createTestDatabase())
  })
  afterAll(() => servers.close())

  test('loses no acknowledged switch and counts none twice', async () => {
    const both = await Promise.all([servers.start(), servers.start()])
    const switching = servers.switching(both)
    const more = (count: number) => {
      const enough = switching.acknowledged.size + count
      return until(() => switching.acknowledged.size > enough)
    }
    for (const server of both) {
      await more(20)
      expect(await server.stop('SIGTERM')).toBe(0)
      await more(20)
      await server.start()
    }
    await more(20)
    await switching.stop()
    expect(switching.retries()).toBeGreaterThan(0)
    await servers.expectAcknowledged(switching)
  })
})
