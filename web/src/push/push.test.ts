import { readPush, switchPushOff, switchPushOn } from '@deeb/core/push/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import { allowPush, allowPushOnce, forbidPush, pushAbility, renewPush } from './push.ts'

const SERVER_KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'

/** The browser: what its user answers, what it has subscribed to, and the calls to the server. */
let answer: NotificationPermission
let permission: NotificationPermission
let asked: number
let subscription: { key: string; endpoint: string } | null
let calls: string[]

beforeEach(() => {
  storeTokens('mara')
  ;[answer, permission, asked, subscription, calls] = ['granted', 'default', 0, null, []]
  vi.spyOn(Notification, 'permission', 'get').mockImplementation(() => permission)
  vi.spyOn(Notification, 'requestPermission').mockImplementation(async () => {
    asked += 1
    permission = answer
    return answer
  })
  const pushManager = {
    getSubscription: async () => subscription && shown(subscription),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      subscription = { key: applicationServerKey, endpoint: `https://push.example/${applicationServerKey}` }
      return shown(subscription)
    },
  }
  vi.spyOn(navigator.serviceWorker, 'ready', 'get').mockResolvedValue({ pushManager } as never)
  vi.spyOn(navigator.serviceWorker, 'getRegistration').mockResolvedValue({ pushManager } as never)
  vi.spyOn(window, 'fetch').mockImplementation(async (path, init) => {
    calls.push(`${init?.method ?? 'GET'} ${path}`)
    const body = init?.body ? JSON.parse(String(init.body)) : {}
    if (`${path}` === switchPushOff.path) return Response.json({ isOn: false })
    if (init?.method === 'PUT') return Response.json({ isOn: true, ...body })
    return Response.json({ publicKey: SERVER_KEY, isOn: false, remindsStillOn: true })
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  localStorage.removeItem('deeb.push')
  removeTokens()
})

function shown({ key, endpoint }: { key: string; endpoint: string }) {
  const bytes = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  const applicationServerKey = Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).buffer
  return {
    options: { applicationServerKey },
    toJSON: () => ({ endpoint, keys: { p256dh: 'a', auth: 'b' } }),
    unsubscribe: async () => {
      subscription = null
    },
  }
}

const subscribed = `PUT ${switchPushOn.path}`
const READ = `GET ${readPush.path}`

test('the first press of a bell asks for the permission and subscribes, the next one does not', async () => {
  await allowPushOnce('mara')
  expect([asked, calls, subscription?.key]).toEqual([1, [READ, subscribed], SERVER_KEY])
  await allowPushOnce('mara')
  expect([asked, calls.length]).toEqual([1, 2])
})

test('a refusal is asked for once, until somebody switches it on in Settings', async () => {
  answer = 'default'
  await allowPushOnce('mara')
  await allowPushOnce('mara')
  expect([asked, calls, subscription]).toEqual([1, [], null])
  answer = 'granted'
  expect(await allowPush('mara')).toBe(true)
  expect(calls).toEqual([READ, subscribed])
})

test('a visit asks for nothing, and renews the subscription of the user who chose it', async () => {
  await renewPush('mara')
  expect([asked, calls]).toEqual([0, []])
  await allowPush('mara')
  await renewPush('mara')
  await renewPush('jonas')
  expect([asked, calls]).toEqual([1, [READ, subscribed, READ, subscribed]])
})

test('a subscription with a former key of the server is replaced', async () => {
  permission = 'granted'
  subscription = { key: SERVER_KEY.replace('BCV', 'BCW'), endpoint: 'https://push.example/old' }
  await allowPush('mara')
  expect(subscription).toEqual({ key: SERVER_KEY, endpoint: `https://push.example/${SERVER_KEY}` })
})

test('switching off ends the subscription here and at the server, also for later visits', async () => {
  await allowPush('mara')
  await forbidPush('mara')
  expect(subscription).toBe(null)
  await renewPush('mara')
  await allowPushOnce('mara')
  expect(calls).toEqual([READ, subscribed, `POST ${switchPushOff.path}`])
})

test('tells what the browser is able to', () => {
  expect(pushAbility()).toBe('able')
  permission = 'denied'
  expect(pushAbility()).toBe('refused')
  const { PushManager } = window
  Reflect.deleteProperty(window, 'PushManager')
  const agent = vi.spyOn(navigator, 'userAgent', 'get')
  agent.mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
  expect(pushAbility()).toBe('install')
  agent.mockReturnValue('Mozilla/5.0 (X11; Linux x86_64)')
  expect(pushAbility()).toBe('unable')
  window.PushManager = PushManager
})
