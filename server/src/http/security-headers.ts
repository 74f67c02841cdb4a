import { OLDEST_CLIENT_HEADER, OLDEST_SAFE_CLIENT } from '@deeb/core/client-version'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The policy of a page that has these inline scripts, by their hashes. */
export function contentSecurityPolicy(scriptHashes: readonly string[] = []): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`)].join(' '),
    ...OTHER_DIRECTIVES,
  ].join('; ')
}

const OTHER_DIRECTIVES = [
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types deeb-worker',
]

/** The security headers of every response; HTTPS adds Strict-Transport-Security. */
export const SECURITY_HEADERS = {
  'content-security-policy': contentSecurityPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
}

/** Adds them to every response: pages, files, API and errors. */
export function sendSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  const stamp = stampHeaders(publicUrl)
  app.addHook('onRequest', (request, reply, done) => {
    stamp(request, reply)
    done()
  })
}

/** Adds the security headers to a response. API responses also get the oldest safe client version. */
export function stampHeaders(publicUrl: string): (request: FastifyRequest, reply: FastifyReply) => void {
  const isHttps = publicUrl.startsWith('https:')
  const headers = {
    ...SECURITY_HEADERS,
    ...(isHttps ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
  return (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header(OLDEST_CLIENT_HEADER, OLDEST_SAFE_CLIENT)
  }
}
