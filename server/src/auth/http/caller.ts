import type { FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import { normalizeIp } from '../../limits/ip-network.ts'
import { printable } from '../../printable.ts'
import { type Browser, browserOf } from './browser-cookie.ts'

const USER_AGENT_CHARACTERS = 300

/** What a session and the audit log remember of where a request came from. */
export interface Caller {
  /** As normalizeIp() spells it. */
  ip: string
  userAgent: string | null
  browser: Browser
}

export function callerOf(request: FastifyRequest, { publicUrl }: Pick<Config, 'publicUrl'>): Caller {
  const userAgent = printable(request.headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS) || null
  // What a proxy wrote may be anything; who speaks to us is an address.
  const ip = normalizeIp(request.ip) ?? normalizeIp(request.socket.remoteAddress ?? '') ?? ''
  return { ip, userAgent, browser: browserOf(request, publicUrl) }
}
