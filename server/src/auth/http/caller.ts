import type { Language } from '@deeb/core/languages'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { languageOf } from '../../lib/language.ts'
import { printable } from '../../lib/printable.ts'
import { normalizeIp } from '../../limits/ip-network.ts'
import { type Browser, browserOf } from './browser-cookie.ts'

const USER_AGENT_CHARACTERS = 300

/** The origin of a request, as stored in auth sessions and the audit log, and the language of its sender. */
export interface Caller {
  /** Normalized by normalizeIp(). */
  ip: string
  userAgent: string | null
  browser: Browser
  /** For an email to somebody who has stored none. Read late: most requests need none, and a header of 15 kB costs milliseconds. */
  readonly language: Language
}

/** One call of the account service: its caller and its time. */
export interface Call {
  caller: Caller
  now: Date
}

export function callerOf(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): Caller {
  const userAgent = printable(request.headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS) || null
  // A proxy header may contain any text; the address of the socket is always valid.
  const ip = normalizeIp(request.ip) ?? normalizeIp(request.socket.remoteAddress ?? '') ?? ''
  return {
    ...{ ip, userAgent, browser: browserOf(request, publicUrl) },
    get language() {
      return languageOf(request)
    },
  }
}

export function callOf(request: FastifyRequest, { config, now }: { config: Config; now(): Date }): Call {
  return { caller: callerOf(request, config), now: now() }
}
