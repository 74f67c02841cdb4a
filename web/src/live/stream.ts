import { HEARTBEAT_SECONDS, knownEvents, LIVE_PATH, type LiveEvent } from '@deeb/core/live-events'
import { createParser } from 'eventsource-parser'
import { noteOldestClient } from '../calls/unsafe-version.ts'
import { CLIENT_INFO, SERVER } from '../device/platform.ts'
import { accessToken, checkAuthSession, isSignedOut } from '../session/auth-session.ts'

/**
 * Why a stream ended: the reason that the server gave, `lost` for a broken connection, `silent` if it brought nothing for 40 seconds, as
 * behind a proxy that buffers it, or `signed out`.
 */
export type StreamEnd = 'renew' | 'restart' | 'too-many' | 'lost' | 'silent' | 'signed out'

const RECENT_MS = 2_000
/** How long a new auth session may take to arrive from an email link. */
const REPLACED_WITHIN_MS = 1_500

/** Two missed heartbeats: the connection is dead, as after a change of the network. */
const HEARTBEAT_TIMEOUT_MS = HEARTBEAT_SECONDS * 2_000

interface Listener {
  onDelivery: (events: LiveEvent[]) => void
  /** On each sign of life of the server. */
  onReceived: () => void
}

/**
 * Reads one stream until it ends and passes its events on, one delivery at a time. Uses fetch: EventSource cannot send the
 * access token. Throws only when `signal` aborts.
 */
export async function readStream({ onDelivery, onReceived }: Listener, signal: AbortSignal): Promise<StreamEnd> {
  signal.throwIfAborted()
  // One controller for the page's signal and for the timeout: iOS before 17.4 has no AbortSignal.any.
  const ended = new AbortController()
  const abort = () => ended.abort()
  signal.addEventListener('abort', abort)
  let isSilent = false
  let timer = setTimeout(() => {
    isSilent = true
    abort()
  }, HEARTBEAT_TIMEOUT_MS)
  let receivedAt = Date.now()
  const onChunk = () => {
    receivedAt = Date.now()
    clearTimeout(timer)
    timer = setTimeout(abort, HEARTBEAT_TIMEOUT_MS)
    onReceived()
  }
  // After a change of the network the connection may be dead without an error.
  const changeNetwork = () => {
    if (Date.now() - receivedAt > RECENT_MS) abort()
  }
  window.addEventListener('online', changeNetwork)
  try {
    const token = await accessToken()
    if (!token) return isSignedOut() ? 'signed out' : 'lost'
    const response = await fetch(SERVER + LIVE_PATH, {
      headers: { authorization: `Bearer ${token}`, 'x-client-info': CLIENT_INFO },
      cache: 'no-store',
      signal: ended.signal,
    })
    noteOldestClient(response)
    if (response.status === 401) return await reasonOfRefusal(token)
    if (!response.ok || !response.body) return 'lost'
    return await listen(response.body, { onChunk, onDelivery })
  } catch (error) {
    if (signal.aborted) throw error
    return isSilent ? 'silent' : 'lost'
  } finally {
    signal.removeEventListener('abort', abort)
    clearTimeout(timer)
    window.removeEventListener('online', changeNetwork)
  }
}

/**
 * Why the server refused the token: `renew` if a new auth session has replaced the old one, as after an email link. Its
 * response may still be in flight, so this waits a moment.
 */
async function reasonOfRefusal(token: string): Promise<StreamEnd> {
  await new Promise((resolve) => setTimeout(resolve, REPLACED_WITHIN_MS))
  if (await checkAuthSession(token)) return 'renew'
  // That call may have failed too.
  return isSignedOut() ? 'signed out' : 'lost'
}

async function listen(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onChunk, onDelivery }: { onChunk: () => void; onDelivery: (events: LiveEvent[]) => void },
): Promise<StreamEnd> {
  let end: StreamEnd = 'lost'
  const parser = createParser({
    onEvent: ({ data }) => {
      const events = knownEvents(data)
      end = events.flatMap((event) => (event.type === 'bye' ? [event.reason] : [])).at(-1) ?? end
      if (events.length > 0) onDelivery(events)
    },
  })
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return end
    onChunk()
    parser.feed(value)
  }
}
