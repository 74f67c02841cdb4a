import { readHome } from '@deeb/core/home/api'
import { APP_PATHS } from '@deeb/core/paths'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentZone } from '../device/local-time.ts'
import { HOME } from '../testing/mock-api.ts'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import { askForHome, takeEarlyAnswer } from './early-home.ts'

let sent: string[] = []

beforeEach(() => {
  sent = []
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    sent.push(`${input} ${new Headers(init?.headers).get('authorization')}`)
    return Response.json(HOME)
  })
  storeTokens('mara')
})
afterEach(() => {
  vi.restoreAllMocks()
  removeTokens()
  window.deebEarlyAnswer = undefined
  window.history.replaceState(null, '', '/')
})

/** Runs the inline script of the page on a path. */
function openPage(path: string): void {
  window.history.replaceState(null, '', path)
  askForHome()
}

async function readHomeOf() {
  const { api } = await import('./api.ts')
  return api(readHome, currentZone())
}

test('the page asks for Home before its scripts are there, and the first read takes that answer, once', async () => {
  openPage(APP_PATHS.home)
  const address = `${readHome.path}?${new URLSearchParams(currentZone())}`
  expect(sent).toEqual([`${address} Bearer mara`])
  expect(await readHomeOf()).toMatchObject({ profile: { username: 'mara' } })
  expect(sent).toHaveLength(1)
  await readHomeOf()
  expect(sent).toHaveLength(2)
})

test('nothing is asked for on another screen, and without an auth session', () => {
  openPage(APP_PATHS.team)
  removeTokens()
  openPage(APP_PATHS.home)
  expect(sent).toEqual([])
})

test('the early answer is not for another address or token, nor after 10 seconds', () => {
  openPage(APP_PATHS.home)
  const { address = '', sentAt = 0 } = window.deebEarlyAnswer ?? {}
  expect(takeEarlyAnswer(`${readHome.path}?timeZone=Pacific%2FApia`, 'mara')).toBeUndefined()
  expect(takeEarlyAnswer(address, 'noa')).toBeUndefined()
  vi.spyOn(Date, 'now').mockReturnValue(sentAt + 10_000)
  expect(takeEarlyAnswer(address, 'mara')).toBeUndefined()
})

test('the time of the server is held against the time at which the page has asked', async () => {
  const serverTime = Date.parse(HOME.serverTime)
  const now = vi.spyOn(Date, 'now').mockReturnValue(serverTime - 60_000)
  openPage(APP_PATHS.home)
  now.mockReturnValue(serverTime - 56_000)
  await readHomeOf()
  // In the middle between both, the server's clock was a minute minus two seconds ahead.
  const { clockOffsetMs } = await import('./server-clock.ts')
  expect(clockOffsetMs()).toBe(58_000)
})

test('a request that failed early is sent again', async () => {
  vi.mocked(window.fetch).mockRejectedValueOnce(new TypeError('Failed to fetch'))
  openPage(APP_PATHS.home)
  expect(await readHomeOf()).toMatchObject({ profile: { username: 'mara' } })
  expect(sent).toHaveLength(1)
})

test('an early answer that stops arriving fails after 10 idle seconds', async () => {
  await import('./api.ts')
  vi.mocked(window.fetch).mockResolvedValueOnce(new Response(new ReadableStream()))
  openPage(APP_PATHS.home)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const read = expect(readHomeOf()).rejects.toMatchObject({ code: 'unavailable' })
  await vi.waitUntil(() => window.deebEarlyAnswer === undefined)
  await vi.advanceTimersByTimeAsync(10_000)
  await read
  vi.useRealTimers()
})
