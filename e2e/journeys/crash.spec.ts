import { randomBytes } from 'node:crypto'
import { expect } from '@playwright/test'
import { becomeUser, MARA, test } from '../test.ts'

test.use({ setting: { isAlone: true } })

interface Acknowledged {
  id: string
  startedAt: string
  endedAt: string | null
}

test('crash recovery: after kill -9 every acknowledged switch is stored', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  const token = await page.evaluate(() => JSON.parse(localStorage.getItem('deeb.auth.token') ?? '{}').access_token)
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ')
  const post = async (path: string, body: object): Promise<Acknowledged> => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, cookie, origin: server.url, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(200)
    return (await response.json()).session
  }

  /** A repeated start with the same id returns the session that it created (idempotent). */
  const expectKept = async (sessions: ReadonlyMap<string, Acknowledged>) => {
    for (const [sessionId, session] of sessions) {
      if (session.endedAt === null) continue
      expect(await post('/api/focus/start', { sessionId, timeZone: 'Europe/Berlin' })).toEqual(session)
    }
  }

  const rounds: Map<string, Acknowledged>[] = []
  // The rate limit of one server process allows this many per round.
  for (const count of [10, 15, 20, 25, 30]) {
    const acknowledged = new Map<string, Acknowledged>()
    rounds.push(acknowledged)
    // Switches as fast as possible until the server is killed.
    const switching = (async () => {
      for (;;) {
        const sessionId = uuidv7()
        acknowledged.set(sessionId, await post('/api/focus/start', { sessionId, timeZone: 'Europe/Berlin' }))
        acknowledged.set(sessionId, await post('/api/focus/stop', { sessionId }))
      }
    })().catch(() => undefined)
    await expect.poll(() => acknowledged.size, { intervals: [1] }).toBeGreaterThan(count)
    await server.end('SIGKILL')
    await switching
    await server.start()
    await expectKept(acknowledged)
  }
  for (const acknowledged of rounds.slice(0, -1)) await expectKept(acknowledged)
  expect(await server.end('SIGTERM')).toBe(0)
})

function uuidv7(): string {
  const hex = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex')
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
