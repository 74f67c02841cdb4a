import { APP_PATHS } from '@deeb/core/paths'
import type { PushMessage } from '@deeb/core/push/messages'
import * as knockTexts from '@deeb/texts/knocks'
import * as texts from '@deeb/texts/push'
import * as quietTexts from '@deeb/texts/quiet'
import { timeOrDayText } from '../src/device/local-date.ts'
import { currentTimeZone, timeText } from '../src/device/local-time.ts'
import { storeChange } from '../src/focus/queue/stored-changes.ts'
import { answerText } from '../src/team/knock-text.ts'

declare const self: ServiceWorkerGlobalScope

const SWITCH_OFF = 'switch-off'

/** The types of TypeScript lack the buttons. */
interface Shown extends NotificationOptions {
  actions?: { action: string; title: string }[]
}

/** Shows the push messages of the server as notifications, and does what their press says. */
export function listenToPush(): void {
  self.addEventListener('push', (event) => event.waitUntil(show(event.data)))
  self.addEventListener('notificationclick', (event) => event.waitUntil(press(event)))
}

/** Each message must show something: browsers end the subscription of a site that shows nothing. */
function show(data: PushMessageData | null): Promise<void> {
  const { title, ...options } = notificationOf(messageIn(data))
  return self.registration.showNotification(title, { icon: '/icon-192.png', ...options } as Shown)
}

function messageIn(data: PushMessageData | null): PushMessage | null {
  try {
    return data?.json() ?? null
  } catch {
    return null
  }
}

/** A message that is sent again has the same tag: it replaces the notification without a sound. */
function notificationOf(message: PushMessage | null): Shown & { title: string } {
  switch (message?.kind) {
    case 'free':
      return {
        title: texts.free({ name: message.name }),
        body: sinceText(message),
        tag: `free-${message.personId}`,
        data: message,
      }
    case 'still-on':
      return {
        title: texts.stillOn(),
        body: sinceText(message),
        tag: 'still-on',
        silent: true,
        actions: [{ action: SWITCH_OFF, title: texts.switchOff() }],
        data: message,
      }
    case 'quiet':
      return {
        title: quietTexts.until({ circle: message.circle, time: timeText(new Date(message.endsAt)) }),
        body: quietTexts.hasBegun(),
        tag: 'quiet',
        data: message,
      }
    case 'knock':
      return { title: knockTexts.cantWaitFor({ name: message.name }), tag: `knock-${message.personId}`, data: message }
    case 'knock-answer':
      return { title: answerText(message.name, message.answer), tag: `answer-${message.personId}`, data: message }
    // Of a newer server.
    default:
      return { title: 'deeb', body: texts.unknown(), tag: 'unknown' }
  }
}

function sinceText({ since }: { since: string }): string {
  return texts.since({ time: timeOrDayText(new Date(since), new Date()) })
}

async function press({ action, notification }: NotificationEvent): Promise<void> {
  notification.close()
  const message: PushMessage | undefined = notification.data
  if (message?.kind === 'still-on' && action === SWITCH_OFF) await switchOff(message)
  const isAboutOthers = message?.kind === 'free' || message?.kind === 'knock-answer'
  await open(isAboutOthers ? APP_PATHS.team : APP_PATHS.home)
}

/** Puts the press into the switch queue, from which the app sends it. It ends this session and no other. */
async function switchOff({ userId, sessionId }: PushMessage & { kind: 'still-on' }): Promise<void> {
  await storeChange({ userId, to: 'off', sessionId, timeZone: currentTimeZone(), actedAt: Date.now() })
  const tabs = new BroadcastChannel('deeb-switch-queue')
  tabs.postMessage(null)
  tabs.close()
}

/** Focuses an open tab of the app and leads it to the screen, or opens one. */
async function open(path: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url }) => new URL(url).pathname.startsWith(APP_PATHS.signIn))
  if (!page) {
    await self.clients.openWindow(path)
    return
  }
  // Browsers allow it for a moment after the press only.
  await page.focus().catch(() => undefined)
  page.postMessage({ type: 'open', path })
}
