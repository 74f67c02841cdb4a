import { useSyncExternalStore } from 'react'
import { type Sent, sendNext } from './send-next.ts'
import { onQueueChange, pendingOf } from './switch-queue.ts'

const MIN_BACKOFF_MS = 1_000
const MAX_BACKOFF_MS = 30_000
/** The screen mentions pending changes when a response takes longer. */
const SLOW_MS = 2_000

let isDelayed = false
const listeners = new Set<() => void>()

/** Sends a user's changes as they are queued, until the returned function is called. Retries with exponential backoff. */
export function keepSending(userId: string): () => void {
  const ended = new AbortController()
  let backoffMs = MIN_BACKOFF_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSending = false
  let seen = 0

  async function send(): Promise<void> {
    clearTimeout(timer)
    if (isSending || ended.signal.aborted) return
    isSending = true
    const sent = await sendAll(userId)
    isSending = false
    if (ended.signal.aborted) return
    if (sent === 'later') {
      // Jitter: a restarted server must not get all retries in the same moment.
      timer = setTimeout(send, backoffMs * (0.5 + Math.random()))
      backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS)
    } else {
      backoffMs = MIN_BACKOFF_MS
      // Queued after the last batch was made.
      if (pendingOf(userId).length > 0) void send()
    }
  }
  const sendNow = () => {
    backoffMs = MIN_BACKOFF_MS
    void send()
  }
  const stopListening = onQueueChange(() => {
    const newest = pendingOf(userId).at(-1)?.sequence ?? 0
    if (newest > seen) sendNow()
    seen = newest
  })
  const options = { signal: ended.signal }
  window.addEventListener('online', sendNow, options)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && sendNow(), options)
  sendNow()
  return () => {
    ended.abort()
    clearTimeout(timer)
    stopListening()
    setDelayed(false)
  }
}

/** Sends until nothing is pending or the server does not answer. */
export async function sendAll(userId: string): Promise<Sent> {
  const slow = setTimeout(() => setDelayed(true), SLOW_MS)
  let sent: Sent
  do sent = await sendNext(userId)
  while (sent === 'sent')
  clearTimeout(slow)
  setDelayed(sent === 'later')
  return sent
}

function setDelayed(value: boolean): void {
  isDelayed = value
  for (const listener of listeners) listener()
}

/** Whether changes are pending for longer than a response usually takes. */
export function useIsDelayed(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isDelayed,
  )
}
