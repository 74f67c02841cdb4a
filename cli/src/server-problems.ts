import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import type { ErrorCode } from '@deeb/core/errors'
import { EXIT, Problem } from './exit.ts'

/** OpenSSL's codes for a certificate that is not valid at the time of this computer. */
const WRONG_TIME = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']
const NOT_TRUSTED = [
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID'],
]
const UNKNOWN_NAME = ['ENOTFOUND', 'EAI_AGAIN']

/** The problem of a request that got no response, or only a part of it. A `Problem` stays as it is. */
export function noResponse(server: string, error: unknown, now: Date): Problem {
  if (error instanceof Problem) return error
  const { host } = new URL(server)
  const code = codeOf(error)
  if (WRONG_TIME.includes(code)) {
    const time = now.toUTCString()
    return unreachable(`The certificate of ${host} is not valid at ${time}. Is the clock of this computer right?`)
  }
  if (NOT_TRUSTED.includes(code)) {
    return unreachable(
      `The certificate of ${host} is not trusted (${code}). NODE_EXTRA_CA_CERTS can name the certificate of your company's authority.`,
    )
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return unreachable(`${host} does not answer by https.`)
  if (UNKNOWN_NAME.includes(code)) {
    return unreachable(`${host} was not found. Check the address, and whether this computer has a network.`)
  }
  if (code === 'TimeoutError') return unreachable(`${host} did not answer in time.`)
  return unreachable(`${host} cannot be reached${code === '' ? '' : ` (${code})`}. Is the server running?`)
}

/** The problem of a response that is not the one of a deeb server that did what was asked. */
export async function problemOf(server: string, response: Response): Promise<Problem> {
  const { host } = new URL(server)
  const { status, headers } = response
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null) {
    const target = URL.canParse(location, server) ? new URL(location, server).origin : 'another address'
    return unreachable(
      `${host} redirects to ${target}. If you trust that address, sign in there: deeb login --server ${target}`,
    )
  }
  const { code } = ((await response.json().catch(() => null)) ?? {}) as { code?: unknown }
  // A server that is newer than this program can have other codes.
  const isError = headers.has(OLDEST_CLIENT_HEADER) && typeof code === 'string' && /^[a-z0-9_]+$/.test(code)
  if (!isError) return status >= 500 ? unreachable(`${host} answers ${status}. Try again later.`) : notDeeb(server)
  if (status === 401) return new Problem(EXIT.signedOut, tokenRefused(server))
  if (status === 429) {
    const seconds = Number(headers.get('retry-after')) || 60
    return new Problem(EXIT.unreachable, `Too many requests. Try again in ${seconds} seconds.`, seconds)
  }
  if (status >= 500) return unreachable(`${host} is not available at the moment. Try again later.`)
  return new Problem(EXIT.refused, REASONS[code as ErrorCode] ?? `The server refused this: ${code}.`)
}

export function notDeeb(server: string): Problem {
  return unreachable(`${server} does not answer like a deeb server. Check the address.`)
}

function tokenRefused(server: string): string {
  return `The token is not valid. It was revoked, has expired, or is of another server. Create a new one in deeb at Settings, Connected apps. Then: deeb login --server ${server}`
}

const REASONS: Partial<Record<ErrorCode, string>> = {
  scope_needed: 'The token does not allow this. Create one with more permissions in deeb at Settings, Connected apps.',
  session_not_found: 'Deeb mode was switched off in the meantime.',
  too_many_sessions: 'This day has too many sessions already.',
  invalid_time_zone: 'The server does not know the time zone of this computer.',
  second_factor_required:
    'Your company requires a second factor. Set one up in deeb at Settings, Sign-in and security.',
}

function unreachable(message: string): Problem {
  return new Problem(EXIT.unreachable, message)
}

/** The code of an error of fetch, which is in its cause; the name of a timeout. Empty if there is none. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if (error.name === 'TimeoutError') return error.name
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : ''
}
