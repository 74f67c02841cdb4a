import { HEARTBEAT_SECONDS, knownEvents, LIVE_PATH, type LiveEvent } from '@deeb/core/live-events'
import { createParser } from 'eventsource-parser'
import { type Login, send } from './api.ts'
import { noResponse } from './server-problems.ts'

/** Two missed heartbeats: the connection is dead, as after a change of the network. */
const HEARTBEAT_TIMEOUT_MS = HEARTBEAT_SECONDS * 2_000

/** The events of one live stream until it ends. `onAlive` is called on each sign of life. Throws a `Problem`, or the reason of `signal`. */
export async function* readStream(login: Login, signal: AbortSignal, onAlive: () => void): AsyncGenerator<LiveEvent> {
  const silence = new AbortController()
  const giveUp = () => silence.abort(new DOMException('No heartbeat.', 'TimeoutError'))
  const timer = setTimeout(giveUp, HEARTBEAT_TIMEOUT_MS)
  const events: LiveEvent[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(...knownEvents(data)) })
  try {
    const headers = { accept: 'text/event-stream' }
    const { body } = await send(login, LIVE_PATH, { headers, signal: AbortSignal.any([signal, silence.signal]) })
    for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      timer.refresh()
      parser.feed(text)
      onAlive()
      yield* events.splice(0)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw noResponse(login.server, error, new Date())
  } finally {
    clearTimeout(timer)
  }
}
