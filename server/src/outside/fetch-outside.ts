import { Resolver } from 'node:dns/promises'
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { isInRanges, isPublicAddress } from './public-address.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 65_536

/** Why there is no response. `no_public_address` also says that the name is unknown: a caller must not learn the names of a network. */
export type OutsideFailure = 'invalid_url' | 'no_public_address' | 'redirect' | 'timeout' | 'unreachable'

/** A request to another server that has no response. */
export class OutsideError extends Error {
  readonly reason: OutsideFailure
  /** Only of a redirect. */
  readonly status: number | null

  constructor(reason: OutsideFailure, status: number | null = null, options?: ErrorOptions) {
    super(`No response from outside: ${reason}.`, options)
    this.reason = reason
    this.status = status
  }
}

export interface OutsideRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For the whole exchange; default: 5 seconds. */
  timeoutMs?: number
  /** The maximum that is read of the body; default: 64 KiB. */
  maxBytes?: number
}

export interface OutsideResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  /** False if the body was longer than `maxBytes`, or did not end in time: `body` is its beginning. */
  isComplete: boolean
}

export type FetchOutside = (url: string | URL, request?: OutsideRequest) => Promise<OutsideResponse>

/** Looks up all addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<string[]>

interface OutsideDeps {
  /** Private ranges that may be called in addition to the Internet, also by http: the setting `WEBHOOK_ALLOW`. */
  allow: readonly string[]
  /** Default: by DNS. */
  resolve?: ResolveHost
}

/**
 * Makes the function for requests to URLs that people chose (SSRF). It calls the Internet by https, and the allowed ranges by https
 * or http. It follows no redirect. Rejects with `OutsideError` only.
 */
export function createFetchOutside({ allow, resolve = resolveByDns }: OutsideDeps): FetchOutside {
  return async (url, request = {}) => {
    const target = readOutsideUrl(String(url), allow)
    if (!target) throw new OutsideError('invalid_url')
    return exchange(target, request, lookUp)

    // Part of the connection, so that a second answer of a name server cannot lead elsewhere (DNS rebinding).
    function lookUp(...[hostname, options, callback]: Parameters<LookupFunction>) {
      resolve(hostname).then(
        (found) => {
          const addresses = found.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
          const [first] = addresses
          const mayCall = addresses.every(({ address }) => isAllowed(address, target?.protocol, allow))
          if (!first || !mayCall) return callback(new OutsideError('no_public_address'), '')
          return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
        },
        (cause) => callback(new OutsideError('no_public_address', null, { cause }), ''),
      )
    }
  }
}

/**
 * The URL if this server may call it, else null: https, or also http if ranges are allowed. A host name may still lead to any
 * address: only the connection checks that.
 */
export function readOutsideUrl(text: string, allow: readonly string[]): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const { protocol, hostname, username, password } = url
  if (username || password || !isAllowedProtocol(protocol, allow)) return null
  // A connection to an address has no lookup. URL has changed all spellings, such as `0x7f.1`, into the usual one.
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) return isAllowed(address, protocol, allow) ? url : null
  // A name without a dot is one of this machine or network.
  return allow.length > 0 || hostname.includes('.') ? url : null
}

/** Whether a URL of `readOutsideUrl` leads to an allowed address now. A later lookup may differ, so the connection checks it again. */
export async function leadsOutside({ hostname, protocol }: URL, allow: readonly string[]): Promise<boolean> {
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return true
  const found = await resolveByDns(hostname)
  return found.length > 0 && found.every((address) => isAllowed(address, protocol, allow))
}

function isAllowedProtocol(protocol: string, allow: readonly string[]): boolean {
  return protocol === 'https:' || (protocol === 'http:' && allow.length > 0)
}

function isAllowed(address: string, protocol: string | undefined, allow: readonly string[]): boolean {
  return (protocol === 'https:' && isPublicAddress(address)) || isInRanges(address, allow)
}

/* The resolver of the system would hold a thread for each name server that does not answer. */
const resolver = new Resolver({ timeout: 2_000, tries: 2 })

async function resolveByDns(hostname: string): Promise<string[]> {
  if (hostname === 'localhost') return ['127.0.0.1']
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return found.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

function exchange(
  url: URL,
  { method = 'GET', headers = {}, body = '', timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: OutsideRequest,
  lookup: LookupFunction,
): Promise<OutsideResponse> {
  const { request, Agent } = url.protocol === 'https:' ? https : http
  const signal = AbortSignal.timeout(timeoutMs)
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => reject(cause instanceof OutsideError ? cause : failureOf(cause, signal))
    const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    // Never the global agent or its class: a proxy of the environment would look the name up.
    const agent = new Agent()
    const sending = request(url, { method, headers: { ...headers, ...length }, agent, signal, lookup })
    // The answer 101 closes the connection without an error and without a response.
    const closed = () => fail(new Error('The connection closed without a response.'))
    sending.on('error', fail).on('close', closed)
    sending.on('response', (response) => {
      // From here on, the response has the errors.
      sending.off('close', closed).off('error', fail)
      sending.on('error', () => undefined)
      const { statusCode: status = 0, headers } = response
      if (status >= 300 && status < 400) {
        response.destroy()
        return reject(new OutsideError('redirect', status))
      }
      return readStart(response, maxBytes).then((read) => resolve({ status, headers, ...read }))
    })
    sending.end(body)
  })
}

/** Reads at most `maxBytes`, and what there is when the response breaks off. */
function readStart(response: IncomingMessage, maxBytes: number): Promise<Pick<OutsideResponse, 'body' | 'isComplete'>> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve) => {
    const done = (isComplete: boolean) => {
      response.destroy()
      resolve({ body: Buffer.concat(chunks).subarray(0, maxBytes), isComplete })
    }
    if (maxBytes === 0) return done(false)
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > maxBytes) done(false)
    })
    response.on('end', () => done(true))
    response.on('error', () => done(false))
    response.on('aborted', () => done(false))
  })
}

function failureOf(cause: Error, signal: AbortSignal): OutsideError {
  return new OutsideError(signal.aborted ? 'timeout' : 'unreachable', null, { cause })
}
