import { startFocus } from '@deeb/core/focus/api'
import { openDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeTokens, storeTokens } from '../../testing/stored-tokens.ts'

const SESSION = { id: '01890a5d-ac96-774b-bcce-b302099a8057', startedAt: '2026-06-15T09:00:00.000Z', endedAt: null }

const openNow = indexedDB.open.bind(indexedDB)
let stop = () => {}

/** A change that an earlier visit stored. */
beforeEach(async () => {
  storeTokens('mara')
  const db = await openDB('deeb-switch-queue', 1, {
    upgrade: (db) => void db.createObjectStore('changes', { keyPath: 'place', autoIncrement: true }),
  })
  const press = { userId: 'mara', to: 'on', sessionId: SESSION.id, timeZone: 'Europe/Berlin', actedAt: Date.now() }
  await db.add('changes', press)
  db.close()
})

afterEach(async () => {
  stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  removeTokens()
  const db = await (await import('./stored-changes.ts')).opened()
  await db.clear('changes')
  // As when the browser closes it.
  db.close()
  db.dispatchEvent(new Event('close'))
})

async function isSending(): Promise<boolean> {
  const { held = [], pending = [] } = await navigator.locks.query()
  return held.length + pending.length > 0
}

/** The page of a signed-in user. Returns what it sends. */
async function openPage() {
  const sent: unknown[] = []
  vi.spyOn(window, 'fetch').mockImplementation(async (path) => {
    sent.push(path)
    return Response.json({ session: SESSION, serverTime: SESSION.startedAt })
  })
  const { keepSending } = await import('./keep-sending.ts')
  const { pendingOf } = await import('./switch-queue.ts')
  stop = keepSending('mara')
  return { sent, pendingOf }
}

test('a change of an earlier visit is sent, also when the database opens late', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const late: IDBOpenDBRequest[] = []
  const holdBack = (event: Event) => {
    event.stopImmediatePropagation()
    late.push(event.target as IDBOpenDBRequest)
  }
  vi.spyOn(indexedDB, 'open').mockImplementationOnce((...named) => {
    const request = openNow(...named)
    request.addEventListener('success', holdBack, { once: true })
    return request
  })
  const { sent, pendingOf } = await openPage()
  await expect.poll(() => late).toHaveLength(1)
  // Every attempt times out.
  const isSendingStill = async () => {
    await vi.runAllTimersAsync()
    return isSending()
  }
  await expect.poll(isSendingStill).toBe(false)
  expect([pendingOf('mara'), sent]).toEqual([[], []])
  vi.useRealTimers()
  late[0]?.dispatchEvent(new Event('success'))
  await expect.poll(() => sent).toEqual([startFocus.path])
  await expect.poll(() => pendingOf('mara')).toEqual([])
})

test('a database that failed to open is opened again when the page becomes visible', async () => {
  const newer = await openDB('newer', 2)
  newer.close()
  const refused = vi.spyOn(indexedDB, 'open').mockImplementation(() => openNow('newer', 1))
  const { sent } = await openPage()
  await expect((await import('./stored-changes.ts')).opened()).rejects.toThrow('version')
  await expect.poll(isSending).toBe(false)
  expect(sent).toEqual([])
  refused.mockRestore()
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.poll(() => sent).toEqual([startFocus.path])
})
