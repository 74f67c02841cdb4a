import type { FastifyRequest } from 'fastify'

const USER_AGENT_CHARACTERS = 300

/** What a session and the audit log remember of where a request came from. */
export interface Caller {
  ip: string
  userAgent: string | null
}

export function callerOf(request: FastifyRequest): Caller {
  return { ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS) ?? null }
}
