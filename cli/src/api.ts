import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import type { Endpoint, InputOf, OutputOf } from '@deeb/core/endpoint'
import * as texts from '@deeb/texts/cli'
import * as v from 'valibot'
import manifest from '../package.json' with { type: 'json' }
import { EXIT, Problem } from './exit.ts'
import { noResponse, notDeeb, problemOf } from './server-problems.ts'

const ANSWER_WITHIN_MS = 15_000

/** Where a person is signed in with a personal access token. */
export interface Login {
  /** The origin of the server. */
  server: string
  token: string
}

/** Calls an endpoint of the server. Throws a `Problem`. */
export async function call<E extends Endpoint>(login: Login, endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  const { method, path, output } = endpoint
  const isGet = method === 'GET'
  const query = isGet ? `?${new URLSearchParams(input as Record<string, string>)}` : ''
  const response = await send(login, path + query, {
    method,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    ...(isGet ? {} : { body: JSON.stringify(input), headers: { 'content-type': 'application/json' } }),
  })
  const answer = v.safeParse(output, await jsonOf(login.server, response))
  if (answer.success) return answer.output as OutputOf<E>
  throw new Problem(EXIT.unreachable, texts.otherVersion({ server: login.server }))
}

/** The response to a request with the token, if it is a success of a deeb server. Otherwise throws a `Problem`. */
export async function send({ server, token }: Login, path: string, init: RequestInit): Promise<Response> {
  // A redirect is not followed: the token is for this server only.
  const headers = { ...init.headers, authorization: `Bearer ${token}`, 'x-client-info': `deeb-cli/${manifest.version}` }
  const response = await fetch(server + path, { ...init, headers, redirect: 'manual' }).catch((error: unknown) => {
    throw noResponse(server, error, new Date())
  })
  if (!response.ok) throw await problemOf(server, response)
  if (!response.headers.has(OLDEST_CLIENT_HEADER)) throw notDeeb(server)
  return response
}

/** The body of a response; null if it is not JSON. Throws a `Problem` if only a part of it has arrived. */
async function jsonOf(server: string, response: Response): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw noResponse(server, error, new Date())
  })
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
