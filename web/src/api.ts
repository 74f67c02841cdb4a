import type { Endpoint, InputOf, OutputOf } from '@deeb/core/endpoint'
import { ErrorBody, type ErrorCode } from '@deeb/core/errors'
import { CLIENT_INFO } from './platform.ts'
import { noteServerTime } from './server-clock.ts'
import { auth } from './session.ts'

const TIMEOUT_MS = 15_000

/** A call that did not succeed. `unavailable` stands for every failure to get a sensible answer, offline included. */
export class ApiError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode) {
    super(code)
    this.code = code
  }
}

/** Calls an endpoint as the signed-in person. Throws an ApiError. */
export async function api<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const sentAt = Date.now()
  const response = await send(endpoint, input).catch(() => {
    throw new ApiError('unavailable')
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw await failure(body)
  const output = endpoint.output.safeParse(body)
  if (!output.success) throw new ApiError('unavailable')
  const answer = output.data as OutputOf<E>
  const { serverTime } = answer as { serverTime?: unknown }
  if (typeof serverTime === 'string') noteServerTime(serverTime, sentAt, Date.now())
  return answer
}

async function send<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Response> {
  const { data } = await auth.getSession()
  const headers: Record<string, string> = {
    authorization: `Bearer ${data.session?.access_token ?? ''}`,
    'x-client-info': CLIENT_INFO,
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  if (endpoint.method === 'GET') {
    const query = new URLSearchParams(input as Record<string, string>)
    return fetch(`${endpoint.path}?${query}`, { headers, signal })
  }
  headers['content-type'] = 'application/json'
  return fetch(endpoint.path, { method: endpoint.method, headers, signal, body: JSON.stringify(input) })
}

async function failure(body: unknown): Promise<ApiError> {
  const error = ErrorBody.safeParse(body)
  const code = error.success ? error.data.code : 'unavailable'
  // The account service says whether the session is really gone; then the auth client signs this device out.
  if (code === 'not_signed_in') await auth.getUser()
  return new ApiError(code)
}
