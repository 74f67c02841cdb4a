import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import type { ErrorCode } from '@deeb/core/errors'
import * as texts from '@deeb/texts/cli'
import { EXIT, Problem } from './exit.ts'
import { ignoresProxyTo } from './proxy.ts'
import { isWebAddress } from './server-url.ts'

/** OpenSSL's codes for a certificate that is not valid at the time of this computer. */
const WRONG_TIME = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']
const NOT_TRUSTED = [
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID'],
]
const UNKNOWN_NAME = ['ENOTFOUND', 'EAI_AGAIN']
/** A timer for longer than 24 days ends immediately. */
const MAX_RETRY_AFTER_SECONDS = 3_600

/** The problem of a request that got no response, or only a part of it. A `Problem` stays as it is. */
export function noResponse(server: string, error: unknown, now: Date): Problem {
  if (error instanceof Problem) return error
  const { host } = new URL(server)
  const code = codeOf(error)
  if (WRONG_TIME.includes(code)) {
    const time = now.toUTCString()
    return unreachable(texts.certificateTime({ host, time }))
  }
  if (NOT_TRUSTED.includes(code)) {
    return unreachable(texts.certificateNotTrusted({ host, code }))
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return unreachable(texts.notHttps({ host }))
  const problem = withoutResponse(host, code)
  return unreachable(ignoresProxyTo(server) ? texts.proxyNotUsed({ problem }) : problem)
}

function withoutResponse(host: string, code: string): string {
  if (UNKNOWN_NAME.includes(code)) return texts.notFound({ host })
  if (code === 'TimeoutError') return texts.timedOut({ host })
  return code === '' ? texts.unreachable({ host }) : texts.unreachableWithCode({ host, code })
}

/** The problem of a response that is not the one of a deeb server that did what was asked. */
export async function problemOf(server: string, response: Response): Promise<Problem> {
  const { host } = new URL(server)
  const { status, headers } = response
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== null) {
    const target = URL.canParse(location, server) ? new URL(location, server) : null
    // The sentence has a command to copy into a shell.
    if (!target || !isWebAddress(target)) return unreachable(texts.redirectsElsewhere({ host }))
    // A proxy in front of the server, such as one that adds a slash.
    if (target.origin === server) return unreachable(texts.pathChanged({ host, path: new URL(response.url).pathname }))
    return unreachable(texts.redirects({ host, target: target.origin }))
  }
  const { code } = ((await response.json().catch(() => null)) ?? {}) as { code?: unknown }
  // A server that is newer than this program can have other codes.
  const isError = headers.has(OLDEST_CLIENT_HEADER) && typeof code === 'string' && /^[a-z0-9_]+$/.test(code)
  if (!isError) return status >= 500 ? unreachable(texts.serverError({ host, status })) : notDeeb(server)
  if (status === 401) return new Problem(EXIT.signedOut, texts.tokenNotValid({ server }))
  if (status === 429) {
    const seconds = Math.min(Number(headers.get('retry-after')) || 60, MAX_RETRY_AFTER_SECONDS)
    return new Problem(EXIT.unreachable, texts.tooManyRequests({ count: seconds }), seconds)
  }
  if (status >= 500) return unreachable(texts.unavailable({ host }))
  return new Problem(
    EXIT.refused,
    (Object.hasOwn(REASONS, code) ? REASONS[code as ErrorCode]?.() : null) ?? texts.refusedWithCode({ code }),
  )
}

export function notDeeb(server: string): Problem {
  return unreachable(texts.notDeeb({ server }))
}

const REASONS: Partial<Record<ErrorCode, () => string>> = {
  scope_needed: texts.scopeNeeded,
  session_not_found: texts.sessionNotFound,
  too_many_sessions: texts.tooManySessions,
  invalid_time_zone: texts.timeZoneUnknown,
  second_factor_required: texts.secondFactorRequired,
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
