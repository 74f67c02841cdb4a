import { HEARTBEAT_SECONDS, LIVE_PATH, LiveEvent } from '@deeb/core/live-events'
import { createParser } from 'eventsource-parser'
import { accessToken, checkAuthSession, isSignedOut } from '../auth-session.ts'
import { CLIENT_INFO, SERVER } from '../platform.ts'
import { noteOldestClient } from '../service-worker/unsafe-version.ts'

/** Why a stream is over: what the server said of it, or that it broke off, or that nobody is signed in any more. */
export type StreamEnd = 'renew' | 'restart' | 'too-many' | 'lost' | 'signed out'

const JUST_HEARD_MS = 2_000
const REPLACED_WITHIN_MS = 1_500

/** Two heartbeats missed: the network is gone without a word, as after a change of the wireless net. */
const SILENCE_MS = HEARTBEAT_SECONDS * 2_000

/**
 * Reads one stream until it is over and hands its events on, one delivery at a time. Fetch, not EventSource, which cannot
 * send the access token. Throws only when `signal` aborts it.
 */
export async function readStream(onDelivery: (events: LiveEvent[]) => void, signal: AbortSignal): Promise<StreamEnd> {
  signal.throwIfAborted()
  // One for both ends, the page's and silence: iOS before 17.4 cannot join signals.
  const over = new AbortController()
  const breakOff = () => over.abort()
  signal.addEventListener('abort', breakOff)
  let timer = setTimeout(breakOff, SILENCE_MS)
  let heardAt = Date.now()
  const heard = () => {
    heardAt = Date.now()
    clearTimeout(timer)
    timer = setTimeout(breakOff, SILENCE_MS)
  }
  // Another network: the old connection may be dead without knowing.
  const changeNetwork = () => {
    if (Date.now() - heardAt > JUST_HEARD_MS) breakOff()
  }
  window.addEventListener('online', changeNetwork)
  try {
    const token = await accessToken()
    if (!token) return isSignedOut() ? 'signed out' : 'lost'
    const response = await fetch(SERVER + LIVE_PATH, {
      headers: { authorization: `Bearer ${token}`, 'x-client-info': CLIENT_INFO },
      cache: 'no-store',
      signal: over.signal,
    })
    noteOldestClient(response)
    if (response.status === 401) return await whetherSignedOut(token)
    if (!response.ok || !response.body) return 'lost'
    return await listen(response.body, { heard, onDelivery })
  } catch (error) {
    if (signal.aborted) throw error
    return 'lost'
  } finally {
    signal.removeEventListener('abort', breakOff)
    clearTimeout(timer)
    window.removeEventListener('online', changeNetwork)
  }
}

/**
 * A session ends on the wire before the page that ended it has heard so: a link in a mail puts another in its place, whose
 * answer is under way. So the page is given a moment.
 */
async function whetherSignedOut(token: string): Promise<StreamEnd> {
  await new Promise((resolve) => setTimeout(resolve, REPLACED_WITHIN_MS))
  if (await checkAuthSession(token)) return 'renew'
  // Nobody may have answered that either.
  return isSignedOut() ? 'signed out' : 'lost'
}

async function listen(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { heard, onDelivery }: { heard: () => void; onDelivery: (events: LiveEvent[]) => void },
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
    heard()
    parser.feed(value)
  }
}

/** The events of a delivery. A newer server may say what this page does not know yet; what it does know still comes. */
function knownEvents(data: string): LiveEvent[] {
  const delivery: unknown = JSON.parse(data)
  if (!Array.isArray(delivery)) return []
  return delivery.flatMap((item) => {
    const event = LiveEvent.safeParse(item)
    return event.success ? [event.data] : []
  })
}
