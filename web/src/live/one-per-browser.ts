import type { LiveEvent } from '@deeb/core/live-events'
import { readStream, type StreamEnd } from './stream.ts'

const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000

/** Said from tab to tab: somebody looks, or the network is back. */
const LOOKED_AT = 'looked-at'

/**
 * Hands the person's live events to this tab, from one stream for all tabs of the browser: ten streams would leave none of
 * a browser's six HTTP/1.1 connections for anything else. The tab that holds the lock reads and tells the others; when it
 * goes, the browser gives the lock to another. Returns the function that ends it for this tab.
 */
export function listenLive(userId: string, onDelivery: (events: LiveEvent[]) => void): () => void {
  const stop = new AbortController()
  const name = `deeb-live-${userId}`
  const tabs = new BroadcastChannel(name)
  const wake = new EventTarget()
  tabs.onmessage = ({ data }: MessageEvent<LiveEvent[] | typeof LOOKED_AT>) => {
    if (data === LOOKED_AT) wake.dispatchEvent(new Event(LOOKED_AT))
    else onDelivery(data)
  }
  // The tab that reads may be one that nobody looks at.
  const look = () => {
    if (document.visibilityState !== 'visible') return
    wake.dispatchEvent(new Event(LOOKED_AT))
    tabs.postMessage(LOOKED_AT)
  }
  document.addEventListener('visibilitychange', look, { signal: stop.signal })
  window.addEventListener('online', look, { signal: stop.signal })

  const read = () =>
    keepReading(
      (events) => {
        onDelivery(events)
        tabs.postMessage(events)
      },
      { wake, signal: stop.signal },
    )
  // Pages that are not served safely have no locks. There each tab reads for itself.
  const reading = navigator.locks ? navigator.locks.request(name, { signal: stop.signal }, read) : read()
  reading.catch(() => undefined)

  return () => {
    stop.abort()
    tabs.close()
  }
}

/** Opens one stream after the other until nobody is signed in or `signal` says stop. */
async function keepReading(onDelivery: (events: LiveEvent[]) => void, { wake, signal }: Interruptions): Promise<void> {
  let backoffMs = MIN_BACKOFF_MS
  while (!signal.aborted) {
    const end = await readStream((events) => {
      backoffMs = MIN_BACKOFF_MS
      onDelivery(events)
    }, signal)
    if (end === 'signed out') return
    await pauseAfter(end, backoffMs, { wake, signal })
    if (end === 'lost') backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS)
  }
}

type Interruptions = { wake: EventTarget; signal: AbortSignal }

function pauseAfter(end: StreamEnd, backoffMs: number, interruptions: Interruptions): Promise<void> {
  if (end === 'renew') return Promise.resolve()
  // Jitter: a restarted server must not get all reconnects in the same moment.
  const withJitter = backoffMs * (0.5 + Math.random())
  return somethingHappens(end === 'too-many' ? null : withJitter, interruptions)
}

/** Resolves after the time, if one is given; and at once when the network is back or somebody looks at the page. */
function somethingHappens(afterMs: number | null, { wake, signal }: Interruptions): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const go = () => {
      done.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = afterMs === null ? undefined : setTimeout(go, afterMs)
    const options = { signal: done.signal }
    wake.addEventListener(LOOKED_AT, go, options)
    signal.addEventListener('abort', go, options)
  })
}
