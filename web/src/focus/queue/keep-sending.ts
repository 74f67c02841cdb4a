import { useSyncExternalStore } from 'react'
import { type Sent, sendNext } from './send-next.ts'
import { onWaiting, waitingOf } from './switch-queue.ts'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** An answer that takes longer is worth a word on the screen. */
const SLOW_MS = 2_000

let isHeldUp = false
const listeners = new Set<() => void>()

/** Sends a person's changes as they come, until the returned function is called. */
export function keepSending(userId: string): () => void {
  const ended = new AbortController()
  let waitMs = FIRST_WAIT_MS
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
      // Scattered, so that a server that starts again is not met by everybody at once.
      timer = setTimeout(send, waitMs * (0.5 + Math.random()))
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    } else {
      waitMs = FIRST_WAIT_MS
      // Came after the last look.
      if (waitingOf(userId).length > 0) void send()
    }
  }
  const sendNow = () => {
    waitMs = FIRST_WAIT_MS
    void send()
  }
  const stopListening = onWaiting(() => {
    const newest = waitingOf(userId).at(-1)?.place ?? 0
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
    setHeldUp(false)
  }
}

/** Sends until nothing waits or nobody answers. */
export async function sendAll(userId: string): Promise<Sent> {
  const slow = setTimeout(() => setHeldUp(true), SLOW_MS)
  let sent: Sent
  do sent = await sendNext(userId)
  while (sent === 'sent')
  clearTimeout(slow)
  setHeldUp(sent === 'later')
  return sent
}

function setHeldUp(value: boolean): void {
  isHeldUp = value
  for (const listener of listeners) listener()
}

/** Whether what waits does so for longer than an answer usually takes. */
export function useHeldUp(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isHeldUp,
  )
}
