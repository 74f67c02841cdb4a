import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The maximum lifetime of an auth session. */
const MAX_AGE_SECONDS = 90 * 86_400

/** The browser of a request. */
export interface Browser {
  /** The value of our cookie; null without one. */
  cookie: string | null
  /** Whether one of our own pages sent the request. Only then is an auth session bound to the cookie. */
  isOnOurPages: boolean
}

/**
 * Reads cookie and origin of a request. An auth session that one of our pages opens is bound to an HttpOnly cookie, which prevents
 * token theft: tokens copied from local storage do not work without it. Apps and other origins send no cookies, so their auth
 * sessions are not bound.
 */
export function browserOf(request: FastifyRequest, publicUrl: string): Browser {
  return { cookie: readCookie(request, publicUrl), isOnOurPages: request.headers.origin === new URL(publicUrl).origin }
}

/** The SHA-256 of a cookie, null for none. Only this hash is stored, so a leaked dump contains no usable cookie. */
export function bindingOf(cookie: string | null): Buffer | null {
  return cookie === null ? null : createHash('sha256').update(cookie).digest()
}

/** A random 256-bit cookie value. */
export function makeCookie(): string {
  return randomBytes(32).toString('base64url')
}

/** The value of our cookie in a request; null without one, or if its format is not ours. */
export function readCookie(request: FastifyRequest, publicUrl: string): string | null {
  return cookieValue(request, cookieName(publicUrl))
}

/** The value of the cookie `name` in a request, in the format of makeCookie(); null without one. */
export function cookieValue(request: FastifyRequest, name: string): string | null {
  const start = `${name}=`
  const pair = request.headers.cookie?.split(';').find((part) => part.trimStart().startsWith(start))
  const value = pair?.trim().slice(start.length) ?? ''
  return /^[\w-]{43}$/.test(value) ? value : null
}

/** Sets our cookie for 90 days. It is HttpOnly, and SameSite=Strict prevents CSRF. */
export function setCookie(reply: FastifyReply, cookie: string, publicUrl: string): void {
  const secure = isHttps(publicUrl) ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict${secure}`
  reply.header('set-cookie', `${cookieName(publicUrl)}=${cookie}; ${attributes}`)
}

/** Browsers accept the prefix `__Host-` only with Secure and only from this host, so that no subdomain can set the cookie. */
export function cookieName(publicUrl: string): string {
  return isHttps(publicUrl) ? '__Host-deeb' : 'deeb'
}

export function isHttps(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
