import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import type { Endpoint, InputOf, OutputOf } from '@deeb/core/endpoint'
import { HEARTBEAT_SECONDS, knownEvents, LIVE_PATH, type LiveEvent } from '@deeb/core/live-events'
import { createParser } from 'eventsource-parser'

const ANSWER_WITHIN_MS = 15_000
/** Two missed heartbeats: the connection is dead. */
export const SILENCE_MS = HEARTBEAT_SECONDS * 2_000

export interface Login {
  server: string
  token: string
}

/** Why a call failed: the token was revoked or has expired, the server refused the call, or no deeb answered. */
export class CallError extends Error {
  readonly reason: 'signed out' | 'refused' | 'unreachable'

  constructor(reason: CallError['reason']) {
    super(reason)
    this.reason = reason
  }
}

/** Calls an endpoint of the server. Throws a `CallError`. */
export async function call<E extends Endpoint>(login: Login, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const { method, path } = endpoint
  const body = method === 'GET' ? {} : { body: JSON.stringify(input) }
  const response = await send(login, path, { method, ...body, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  return (await response.json()) as OutputOf<E>
}

/** The events of one live stream until it ends. `onAlive` is called on each sign of life. Throws a `CallError`. */
export async function* readStream(
  login: Login,
  onAlive: () => void,
  ended: AbortController,
): AsyncGenerator<LiveEvent> {
  const giveUp = () => ended.abort()
  let timer = setTimeout(giveUp, SILENCE_MS)
  const events: LiveEvent[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(...knownEvents(data)) })
  try {
    const { body } = await send(login, LIVE_PATH, { headers: { accept: 'text/event-stream' }, signal: ended.signal })
    const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(giveUp, SILENCE_MS)
      parser.feed(value)
      onAlive()
      yield* events.splice(0)
    }
  } finally {
    clearTimeout(timer)
  }
}

async function send({ server, token }: Login, path: string, init: RequestInit): Promise<Response> {
  const headers = {
    ...{ 'content-type': 'application/json', ...init.headers },
    ...{ authorization: `Bearer ${token}`, 'x-client-info': `deeb-extension/${chrome.runtime.getManifest().version}` },
  }
  const request = { ...init, headers, cache: 'no-store', credentials: 'omit', redirect: 'error' } as const
  const response = await fetch(server + path, request).catch(() => {
    throw new CallError('unreachable')
  })
  // Something in between can answer too, such as a proxy with a password.
  if (!isOfDeeb(response)) throw new CallError('unreachable')
  if (response.status === 401) throw new CallError('signed out')
  if (!response.ok) throw new CallError(response.status < 500 ? 'refused' : 'unreachable')
  return response
}

function isOfDeeb({ headers }: Response): boolean {
  return headers.has(OLDEST_CLIENT_HEADER)
}

/** Whether a deeb server answers at this origin. */
export async function isDeeb(origin: string): Promise<boolean> {
  const request = { credentials: 'omit', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) } as const
  const response = await fetch(`${origin}/api/focus`, request).catch(() => null)
  return response !== null && isOfDeeb(response)
}
