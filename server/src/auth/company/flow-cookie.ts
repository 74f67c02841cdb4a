import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieName, cookieValue, isHttps } from '../http/browser-cookie.ts'
import { FLOW_SECONDS } from './flow.ts'

/** The cookie that binds a company sign-in to the browser that began it; null without one. */
export function readFlowCookie(request: FastifyRequest, publicUrl: string): string | null {
  return cookieValue(request, flowCookieName(publicUrl))
}

/**
 * Sets the flow cookie for ten minutes. SameSite=Lax, because the browser must send it when the provider redirects back. That is why
 * it is not the cookie of the auth session.
 */
export function setFlowCookie(reply: FastifyReply, cookie: string, publicUrl: string): void {
  const secure = isHttps(publicUrl) ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${FLOW_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  reply.header('set-cookie', `${flowCookieName(publicUrl)}=${cookie}; ${attributes}`)
}

function flowCookieName(publicUrl: string): string {
  return `${cookieName(publicUrl)}-flow`
}
