import type { LiveEvent } from '@deeb/core/live-events'
import { readStream, type StreamEnd } from './stream.ts'

const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** With the 40 seconds of a silent stream: 45 to 55 seconds from one to the next. */
const SILENT_PAUSE_MS = 10_000
/** One may be a dead connection, as after a change of the network. */
const SILENT_STREAMS = 2

/** Sent between tabs: the streams are silent. */
const SILENT = 'silent'

/** Sent between tabs: a tab became visible, or the network is back. */
const WAKE = 'wake'

/**
 * Delivers the user's live events to this tab. One tab, which holds a lock, reads the stream and broadcasts to the others:
 * browsers allow only six HTTP/1.1 connections. When it closes, another tab gets the lock. Returns the function to stop.
 *
 * Calls `onSilence` in visible tabs after the second silent stream in a row and each further one: the page has to ask by itself.
 * Calls `onReceived` on each sign of life of the server, in the tab that reads the stream.
 */
export function listenLive(userId: string, { onDelivery, onReceived, onSilence }: Listener): () => void {
  const stop = new AbortController()
  const name = `deeb-live-${userId}`
  const tabs = new BroadcastChannel(name)
  const wake = new EventTarget()
  const noteSilence = () => {
    if (document.visibilityState === 'visible') onSilence()
  }
  tabs.onmessage = ({ data }: MessageEvent<LiveEvent[] | typeof WAKE | typeof SILENT>) => {
    if (data === WAKE) wake.dispatchEvent(new Event(WAKE))
    else if (data === SILENT) noteSilence()
    else onDelivery(data)
  }
  // The reading tab may be a hidden one.
  const wakeAll = () => {
    if (document.visibilityState !== 'visible') return
    wake.dispatchEvent(new Event(WAKE))
    tabs.postMessage(WAKE)
  }
  document.addEventListener('visibilitychange', wakeAll, { signal: stop.signal })
  window.addEventListener('online', wakeAll, { signal: stop.signal })

  const read = () =>
    keepReading(
      {
        onDelivery: (events) => {
          onDelivery(events)
          tabs.postMessage(events)
        },
        onReceived,
        onSilence: () => {
          noteSilence()
          tabs.postMessage(SILENT)
        },
      },
      { wake, signal: stop.signal },
    )
  // Insecure contexts (plain http) have no locks. There each tab reads its own stream.
  const reading = navigator.locks ? navigator.locks.request(name, { signal: stop.signal }, read) : read()
  reading.catch(() => undefined)

  return () => {
    stop.abort()
    tabs.close()
  }
}

/** Opens one stream after the other until the user is signed out or `signal` aborts. Exponential backoff with jitter. */
async function keepReading(
  { onDelivery, onReceived, onSilence }: Listener,
  { wake, signal }: Interruptions,
): Promise<void> {
  let backoffMs = MIN_BACKOFF_MS
  let silentStreams = 0
  while (!signal.aborted) {
    const onEvents = (events: LiveEvent[]) => {
      backoffMs = MIN_BACKOFF_MS
      silentStreams = 0
      onDelivery(events)
    }
    const end = await readStream({ onDelivery: onEvents, onReceived }, signal)
    if (end === 'signed out') return
    if (end === 'silent') silentStreams += 1
    const isAsking = end === 'silent' && silentStreams >= SILENT_STREAMS
    if (isAsking) onSilence()
    await pauseAfter(end, isAsking ? SILENT_PAUSE_MS : backoffMs, { wake, signal })
    if (end === 'lost' || end === 'silent') backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS)
  }
}

interface Listener {
  onDelivery: (events: LiveEvent[]) => void
  onReceived: () => void
  onSilence: () => void
}

type Interruptions = { wake: EventTarget; signal: AbortSignal }

function pauseAfter(end: StreamEnd, backoffMs: number, interruptions: Interruptions): Promise<void> {
  if (end === 'renew') return Promise.resolve()
  // Jitter: a restarted server must not get all reconnects in the same moment.
  const withJitter = backoffMs * (0.5 + Math.random())
  return waitForWake(end === 'too-many' ? null : withJitter, interruptions)
}

/** Resolves after the time, if one is given, or as soon as the network is back or a tab becomes visible. */
function waitForWake(afterMs: number | null, { wake, signal }: Interruptions): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const go = () => {
      done.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = afterMs === null ? undefined : setTimeout(go, afterMs)
    const options = { signal: done.signal }
    wake.addEventListener(WAKE, go, options)
    signal.addEventListener('abort', go, options)
  })
}
