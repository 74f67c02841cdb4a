/* Push messages to this browser. A native app has none. */
import { readPush, switchPushOff, switchPushOn } from '@deeb/core/push/api'
import { api } from '../calls/api.ts'
import { IS_NATIVE } from '../device/platform.ts'
import { store } from '../device/store.ts'

const SCOPE = '/app'
/** The service worker is registered some seconds after the first screen. */
const WORKER_TIMEOUT_MS = 10_000
/** `<user id> on` or `<user id> off`: what the last user of this browser chose. */
const CHOICE_KEY = 'deeb.push'

/**
 * Whether this browser can show notifications of deeb: `refused` if its user has blocked them, `install` if it can once deeb is on
 * the home screen (iPhone and iPad).
 */
export type PushAbility = 'able' | 'refused' | 'install' | 'unable'

export function pushAbility(): PushAbility {
  if (IS_NATIVE) return 'unable'
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) {
    return Notification.permission === 'denied' ? 'refused' : 'able'
  }
  // An iPad says that it is a Mac, which has no touch screen.
  const isIos = /iPhone|iPad|iPod/.test(navigator.userAgent) || (isMac() && navigator.maxTouchPoints > 1)
  return isIos ? 'install' : 'unable'
}

const isMac = () => navigator.userAgent.includes('Macintosh')

/** Whether the browser has the permission to show what the server sends. */
export function mayNotify(): boolean {
  return pushAbility() === 'able' && Notification.permission === 'granted'
}

/** Returns the choice of the user in this browser; undefined before the first choice. */
function choiceOf(userId: string): 'on' | 'off' | undefined {
  const [chooser, choice] = localStorage.getItem(CHOICE_KEY)?.split(' ') ?? []
  return chooser === userId && (choice === 'on' || choice === 'off') ? choice : undefined
}

function remember(userId: string, choice: 'on' | 'off'): void {
  store('localStorage', CHOICE_KEY, `${userId} ${choice}`)
}

/**
 * Asks for the permission, and subscribes this browser. Resolves to whether its user has allowed it. Call it at a press: browsers
 * ask at no other time. Rejects if the push service or the server does not answer.
 */
export async function allowPush(userId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') {
    remember(userId, 'off')
    return false
  }
  await subscribe()
  remember(userId, 'on')
  return true
}

/** The same at the first press that needs it, and never again: then it is a choice of Settings. */
export async function allowPushOnce(userId: string): Promise<void> {
  if (pushAbility() === 'able' && choiceOf(userId) === undefined) await allowPush(userId)
}

/** Switches push messages to this browser off. Rejects if the server does not answer. */
export async function forbidPush(userId: string): Promise<void> {
  remember(userId, 'off')
  await api(switchPushOff, {})
  await unsubscribe()
}

/** Renews the subscription of a user who chose it: the browser or the server may have lost it, or this is a new sign-in. */
export async function renewPush(userId: string): Promise<void> {
  if (mayNotify() && choiceOf(userId) === 'on') await subscribe()
}

/** Ends the subscription in this browser, also without the server. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration(SCOPE)
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

async function subscribe(): Promise<void> {
  const { publicKey } = await api(readPush, {})
  if (publicKey === null) return
  const { endpoint, keys } = (await subscribeWith(publicKey)).toJSON()
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error('The browser gave no keys.')
  await api(switchPushOn, { endpoint, p256dh: keys.p256dh, auth: keys.auth })
}

async function subscribeWith(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await worker()
  const subscription = await pushManager.getSubscription()
  if (subscription && keyOf(subscription) === publicKey) return subscription
  // The server has another key now.
  await subscription?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
}

function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = String.fromCharCode(...new Uint8Array(applicationServerKey ?? new ArrayBuffer()))
  return btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function worker(): Promise<ServiceWorkerRegistration> {
  return Promise.race([
    navigator.serviceWorker.ready,
    new Promise<never>((_resolve, reject) => {
      setTimeout(() => reject(new Error('There is no service worker.')), WORKER_TIMEOUT_MS)
    }),
  ])
}
