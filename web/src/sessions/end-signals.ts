import * as texts from '@deeb/texts/openSession'
import { IS_NATIVE } from '../device/platform.ts'
import { store } from '../device/store.ts'
import { haptic } from '../ui/haptic.ts'

/** A signal on this device that the target of a session is reached. Each is off until its user switches it on. */
export type EndSignal = 'sound' | 'vibration' | 'notification'

const STORAGE_KEY = 'deeb.end-signals'
/** The last target for which a tab of this browser triggered the signals. */
const TRIGGERED_KEY = 'deeb.end-signalled'

const IS_AVAILABLE: Record<EndSignal, () => boolean> = {
  sound: () => 'AudioContext' in window,
  // Browsers on desktops have the function, but nothing that vibrates.
  vibration: () => IS_NATIVE || ('vibrate' in navigator && window.matchMedia('(pointer: coarse)').matches),
  notification: () => !IS_NATIVE && window.isSecureContext && 'Notification' in window,
}

const TRIGGER: Record<EndSignal, (title: string) => void> = {
  sound: playSound,
  vibration: vibrate,
  notification: (title) => void notify(title).catch(() => undefined),
}

/** The signals that this platform has. */
export function availableSignals(): EndSignal[] {
  return (['sound', 'vibration', 'notification'] as const).filter((signal) => IS_AVAILABLE[signal]())
}

/** The signals that are on. A notification that the browser blocks is off. */
export function endSignals(): EndSignal[] {
  const stored = localStorage.getItem(STORAGE_KEY)?.split(' ') ?? []
  const isAllowed = (signal: EndSignal) => signal !== 'notification' || Notification.permission === 'granted'
  return availableSignals().filter((signal) => stored.includes(signal) && isAllowed(signal))
}

/**
 * Switches a signal on or off. Plays the sound once, and asks for the permission for notifications. Resolves to false if the browser
 * blocks notifications.
 */
export async function setEndSignal(signal: EndSignal, isOn: boolean): Promise<boolean> {
  if (isOn && signal === 'notification' && (await Notification.requestPermission()) !== 'granted') return false
  const others = endSignals().filter((other) => other !== signal)
  localStorage.setItem(STORAGE_KEY, [...others, ...(isOn ? [signal] : [])].join(' '))
  if (isOn && signal === 'sound') playSound()
  return true
}

/** Triggers the signals that are on, in one tab of this browser. `key` names the target. */
export async function triggerEndSignals(key: string, title: string): Promise<void> {
  const triggerOnce = () => {
    if (localStorage.getItem(TRIGGERED_KEY) === key) return
    store('localStorage', TRIGGERED_KEY, key)
    for (const signal of endSignals()) TRIGGER[signal](title)
  }
  // Insecure contexts (plain http) have no locks.
  if (navigator.locks) await navigator.locks.request('deeb-end-signal', triggerOnce)
  else triggerOnce()
}

function vibrate(): void {
  if (IS_NATIVE) haptic()
  else if (navigator.userActivation?.hasBeenActive) navigator.vibrate([200, 200, 200])
}

/** Two soft notes. */
function playSound(): void {
  // Else the browser would play it late, at the first press on the page.
  if (navigator.userActivation?.hasBeenActive === false) return
  const context = new AudioContext()
  const volume = context.createGain()
  volume.connect(context.destination)
  for (const [n, hertz] of [659.26, 880].entries()) {
    const startsAt = context.currentTime + n * 0.35
    const note = new OscillatorNode(context, { frequency: hertz })
    const gain = new GainNode(context, { gain: 0 })
    gain.gain.setValueAtTime(0, startsAt)
    gain.gain.linearRampToValueAtTime(0.25, startsAt + 0.03)
    gain.gain.exponentialRampToValueAtTime(0.001, startsAt + 1)
    note.connect(gain).connect(volume)
    note.start(startsAt)
    note.stop(startsAt + 1)
    if (n === 1) note.onended = () => void context.close()
  }
}

async function notify(title: string): Promise<void> {
  // Silent: sound is a signal of its own.
  const options = { body: texts.reachedNote(), tag: 'deeb-end', icon: '/icon-192.png', silent: true }
  try {
    const notification = new Notification(title, options)
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch {
    // Browsers on Android allow it to service workers only.
    await (await navigator.serviceWorker.getRegistration())?.showNotification(title, options)
  }
}
