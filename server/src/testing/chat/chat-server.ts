import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request to a stand-in of a chat system. */
export interface ChatRequest {
  method: string
  url: URL
  /** The value of `Authorization`. */
  auth: string
  contentType: string
  form: URLSearchParams
  // biome-ignore lint/suspicious/noExplicitAny: a JSON body, which the stand-in checks.
  json: any
}

export interface ChatResponse {
  status?: number
  headers?: Record<string, string>
  body?: unknown
  html?: string
}

interface Faults {
  /** Requests get no answer. */
  isDown?: boolean
  /** The answer comes after this. */
  slow?: () => Promise<void>
  /** Answers instead of the system. */
  answer?: (request: ChatRequest) => ChatResponse | null
}

/** The part that all stand-ins share: a server on this machine with a clock, faults, and rate limits that it enforces. */
export interface ChatServer {
  origin: string
  /** Replace it to change it. */
  faults: Faults
  /** Requests, such as `users.profile.set U1`, in order. */
  calls: { name: string; at: Date }[]
  /** Requests beyond a published rate limit, which it refused. */
  refused: string[]
  close(): Promise<void>
}

export interface Limiter {
  /** Whether one more call of `name` within its limit is allowed in this minute. It counts every call, as a real system does. */
  allow(name: string, perMinute: number): boolean
}

interface Options {
  now(): Date
  answer(request: ChatRequest, limiter: Limiter, log: (name: string) => void): ChatResponse
}

const MINUTE_MS = 60_000

export async function startChatServer({ now, answer }: Options): Promise<ChatServer> {
  const times = new Map<string, number[]>()
  const limiter: Limiter = {
    allow(name, perMinute) {
      const at = now().getTime()
      const recent = (times.get(name) ?? []).filter((time) => time > at - MINUTE_MS)
      times.set(name, [...recent, at])
      if (recent.length < perMinute) return true
      made.refused.push(name)
      return false
    },
  }
  const server = createServer((request, response) => void handle(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const made: ChatServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: {},
    calls: [],
    refused: [],
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (made.faults.isDown) return void incoming.socket.destroy()
    const request = await read(incoming, made.origin)
    await made.faults.slow?.()
    const instead = made.faults.answer?.(request) ?? null
    const {
      status = 200,
      headers = {},
      body,
      html,
    } = instead ?? answer(request, limiter, (name) => made.calls.push({ name, at: now() }))
    const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8'
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(html ?? (body === undefined ? '' : JSON.stringify(body)))
  }

  return made
}

async function read(incoming: IncomingMessage, origin: string): Promise<ChatRequest> {
  const body = await text(incoming)
  const contentType = incoming.headers['content-type']?.split(';')[0] ?? ''
  return {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '/', origin),
    auth: incoming.headers.authorization ?? '',
    contentType,
    form: new URLSearchParams(contentType === 'application/x-www-form-urlencoded' ? body : ''),
    json: contentType === 'application/json' ? JSON.parse(body) : null,
  }
}

/** The checks of the fields of a body. A stand-in refuses a body with any other field. */
export type Fields = Record<string, (value: unknown) => boolean>

export function fits(value: unknown, fields: Fields, optional: readonly string[] = []): boolean {
  if (typeof value !== 'object' || value === null) return false
  const given = Object.entries(value)
  return (
    given.every(([name, one]) => fields[name]?.(one) ?? false) &&
    Object.keys(fields).every((name) => optional.includes(name) || Object.hasOwn(value, name))
  )
}

export const isText = (max: number) => (value: unknown) => typeof value === 'string' && value.length <= max
export const isWhole = (value: unknown) => Number.isSafeInteger(value)
export const isInstant = (value: unknown) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(value))
