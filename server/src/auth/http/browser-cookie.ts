import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** As long as a session can live. */
const MAX_AGE_SECONDS = 90 * 86_400

/** What a request says of the browser it comes from. */
export interface Browser {
  /** The cookie that this service gave it; null without one. */
  cookie: string | null
  /** Whether a page of ours sent the request. Only there can a session be bound to the cookie. */
  isOnOurPages: boolean
}

/**
 * A session that is opened by one of our own pages is bound to a cookie which no script can read: tokens copied out of
 * local storage are worth nothing without it. Apps and other origins keep no cookies with us; they send none and their
 * sessions are not bound.
 */
export function browserOf(request: FastifyRequest, publicUrl: string): Browser {
  return { cookie: readCookie(request, publicUrl), isOnOurPages: request.headers.origin === new URL(publicUrl).origin }
}

/** What a session keeps of the cookie it is bound to: a dump of the database has no usable one. Null for none. */
export function bindingOf(cookie: string | null): Buffer | null {
  return cookie === null ? null : createHash('sha256').update(cookie).digest()
}

export function makeCookie(): string {
  return randomBytes(32).toString('base64url')
}

/** The cookie of a request, or null for none and for what we never gave. */
export function readCookie(request: FastifyRequest, publicUrl: string): string | null {
  const start = `${cookieName(publicUrl)}=`
  const pair = request.headers.cookie?.split(';').find((part) => part.trimStart().startsWith(start))
  const value = pair?.trim().slice(start.length) ?? ''
  return /^[\w-]{43}$/.test(value) ? value : null
}

export function giveCookie(reply: FastifyReply, cookie: string, publicUrl: string): void {
  const secure = isHttps(publicUrl) ? '; Secure' : ''
  const attributes = `Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Strict${secure}`
  reply.header('set-cookie', `${cookieName(publicUrl)}=${cookie}; ${attributes}`)
}

/** Browsers take the prefix only together with Secure, and then from this very host alone. */
function cookieName(publicUrl: string): string {
  return isHttps(publicUrl) ? '__Host-deeb' : 'deeb'
}

function isHttps(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
