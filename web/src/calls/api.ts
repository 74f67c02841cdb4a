import type { Endpoint, InputOf, OutputOf } from '@deeb/core/endpoint'
import { ErrorBody, type ErrorCode } from '@deeb/core/errors'
import * as v from 'valibot'
import { CLIENT_INFO, SERVER } from '../device/platform.ts'
import { checkAuthSession, closeGate, currentSession, hasTokens, signedInUserId } from '../session/auth-session.ts'
import { takeEarlyAnswer } from './early-home.ts'
import { noteServerTime } from './server-clock.ts'
import { noteOldestClient } from './unsafe-version.ts'

/** An idle timeout, for the start of a response and between its chunks. A long download on a slow line does not fail. */
const IDLE_TIMEOUT_MS = 10_000

/** A failed call. `unavailable` means that no valid response arrived, for example offline. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** The access token of the call, if the server answered it. */
  readonly token: string | null

  constructor(code: ErrorCode, token: string | null = null) {
    super(code)
    this.code = code
    this.token = token
  }
}

/**
 * Calls an endpoint as the signed-in user. Fails if another user signs in before the request is sent, and retries once with a
 * refreshed token. Throws an ApiError.
 */
export function api<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const caller = signedInUserId()
  return apiWhenSent(endpoint, (userId) => {
    if (caller !== null && userId !== undefined && userId !== caller) throw new Error('Another user has signed in.')
    return input
  })
}

/** Makes the input after the token was refreshed, for the user of that token. A throw cancels the request. */
type MakeInput<E extends Endpoint> = (userId: string | undefined) => InputOf<E>

/** Like `api`, for an input that depends on the time of sending and on the user. */
export async function apiWhenSent<E extends Endpoint>(endpoint: E, makeInput: MakeInput<E>): Promise<OutputOf<E>> {
  try {
    return await call(endpoint, makeInput)
  } catch (error) {
    const isRefused = error instanceof ApiError && error.code === 'not_signed_in'
    if (isRefused && (await isAccepted(error.token))) return call(endpoint, makeInput)
    throw error
  }
}

/** Whether the server accepts the current token after it refused one. Unknown while the auth client cannot be loaded. */
function isAccepted(refused: string | null): Promise<boolean> {
  return checkAuthSession(refused).catch(() => {
    throw new ApiError('unavailable')
  })
}

async function call<E extends Endpoint>(endpoint: E, makeInput: MakeInput<E>): Promise<OutputOf<E>> {
  const { signal, restart } = limitIdleTime()
  const { response, token, sentAt } = await Promise.race([send(endpoint, makeInput, signal), failAt(signal)]).catch(
    () => {
      throw new ApiError('unavailable')
    },
  )
  noteOldestClient(response)
  // An early answer has no signal of its own.
  const body: unknown = await Promise.race([readBody(response, restart, endpoint.path), failAt(signal)]).catch(
    () => null,
  )
  if (!response.ok) throw failure(body, token)
  const output = v.safeParse(endpoint.output, body)
  if (!output.success) throw new ApiError('unavailable')
  const answer = output.output as OutputOf<E>
  const { serverTime } = answer as { serverTime?: unknown }
  if (typeof serverTime === 'string') noteServerTime(serverTime, sentAt, Date.now())
  return answer
}

/** A signal that aborts 10 seconds after the last restart. An abort after the response is complete has no effect. */
function limitIdleTime() {
  const over = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => over.abort(), IDLE_TIMEOUT_MS)
  }
  restart()
  return { signal: over.signal, restart }
}

/** The JSON of a response, or its text if it is another file. */
function readBody({ body }: Response, onChunk: () => void, path: string): Promise<unknown> {
  const watch = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, to) {
      onChunk()
      to.enqueue(chunk)
    },
  })
  const read = new Response(body?.pipeThrough(watch))
  return /\.\w+$/.test(path) ? read.text() : read.json()
}

/** Rejects when the signal aborts. The token refresh before a call accepts no signal and can take half a minute offline. */
function failAt(deadline: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    deadline.addEventListener('abort', () => reject(deadline.reason))
  })
}

async function send<E extends Endpoint>(endpoint: E, makeInput: MakeInput<E>, signal: AbortSignal) {
  const sentAt = Date.now()
  const session = await currentSession()
  const input = makeInput(session?.user.id)
  const token = session?.access_token ?? null
  // Expired and not refreshed. The auth session may still be valid.
  if (token === null && hasTokens()) throw new ApiError('unavailable')
  const headers: Record<string, string> = {
    authorization: `Bearer ${token ?? ''}`,
    'x-client-info': CLIENT_INFO,
  }
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams(input as Record<string, string>)
    const address = query.size === 0 ? endpoint.path : `${endpoint.path}?${query}`
    const ask = () => fetch(SERVER + address, { headers, signal })
    const early = takeEarlyAnswer(address, token)
    return early
      ? { response: await early.response.catch(ask), token, sentAt: early.sentAt }
      : { response: await ask(), token, sentAt }
  }
  headers['content-type'] = 'application/json'
  const body = JSON.stringify(input)
  const response = await fetch(SERVER + endpoint.path, { method: endpoint.method, headers, signal, body })
  return { response, token, sentAt }
}

function failure(body: unknown, token: string | null): ApiError {
  const error = v.safeParse(ErrorBody, body)
  const code = error.success ? error.output.code : 'unavailable'
  if (token !== null && code === 'aal2_required') closeGate('code', token)
  if (token !== null && code === 'second_factor_required') closeGate('factor', token)
  return new ApiError(code, token)
}
