import { type FetchOutside, OutsideError } from '../outside/fetch-outside.ts'
import { ChatError } from './adapter.ts'

const TIMEOUT_MS = 8_000
const MAX_BYTES = 256 * 1024
const MAX_RETRY_AFTER_SECONDS = 3600

interface ChatRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The header `Authorization`. */
  auth?: string
  json?: object
  form?: Record<string, string>
}

export interface ChatAnswer {
  status: number
  /** Null if it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the answer of another system; each adapter checks what it reads.
  body: any
}

export type CallChat = (url: string, request?: ChatRequest) => Promise<ChatAnswer>

/**
 * Makes the function that calls chat systems. It throws `ChatError` with `retry` if there is no answer within 8 seconds, for a
 * redirect, for 429 with its `Retry-After`, and for 5xx. Other answers are the caller's to judge.
 */
export function createCallChat(fetchOutside: FetchOutside): CallChat {
  return async (url, { method = 'GET', auth, json, form } = {}) => {
    const headers = {
      accept: 'application/json',
      ...(auth && { authorization: auth }),
      ...(json && { 'content-type': 'application/json; charset=utf-8' }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const body = json ? JSON.stringify(json) : new URLSearchParams(form).toString()
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    const answer = await fetchOutside(url, { method, headers, body, ...limits }).catch((error: unknown) => {
      throw new ChatError('retry', error instanceof OutsideError ? error.reason : (error as Error).message)
    })
    const { status } = answer
    if (status === 429 || status >= 500) {
      throw new ChatError('retry', `status ${status}`, retryAfterOf(answer.headers['retry-after']))
    }
    return { status, body: parse(answer.body) }
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return null
  }
}

function retryAfterOf(text = ''): number {
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text), MAX_RETRY_AFTER_SECONDS) : 0
}
