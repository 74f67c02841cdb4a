import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import { startFocus } from '@deeb/core/focus/api'
import { switchFocus } from '@deeb/core/focus/program-api'
import { LIVE_PATH } from '@deeb/core/live-events'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { nativeAppOf } from '../config/native-origins.ts'
import { API_PATH } from './errors.ts'

const PREFLIGHT = {
  'access-control-allow-headers': 'authorization, content-type, x-client-info, x-supabase-api-version, apikey',
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-max-age': '600',
}

const EXPOSED = `x-supabase-api-version, retry-after, ${OLDEST_CLIENT_HEADER}`

const EXTENSION = /^(chrome|moz)-extension:\/\/[\w-]+$/
const PATHS_OF_EXTENSIONS: ReadonlySet<string> = new Set([switchFocus.path, startFocus.path, LIVE_PATH])

type OwnOrigins = Pick<Config, 'publicUrl' | 'androidApp' | 'iosAppId'>

/**
 * CORS for our own pages and for the native apps of this server: they may read every response of the API and the account
 * service, errors included. Extensions of browsers may read those that they need, with a token of their own. No cookies cross origins.
 * Register it before any hook that may refuse a request.
 */
export function allowOwnOrigins(app: FastifyInstance, config: OwnOrigins): void {
  const own = new URL(config.publicUrl).origin
  app.addHook('onRequest', (request, reply, done) => {
    if (API_PATH.test(request.url)) allow(request, reply)
    done()
  })

  function allow({ method, url, headers: { origin } }: FastifyRequest, reply: FastifyReply): void {
    reply.header('vary', 'Origin')
    if (origin === undefined) return
    if (origin !== own && nativeAppOf(origin, config) === null && !isOfExtension(origin, url)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', EXPOSED)
    if (method === 'OPTIONS') reply.headers(PREFLIGHT)
  }
}

function isOfExtension(origin: string, url: string): boolean {
  return EXTENSION.test(origin) && PATHS_OF_EXTENSIONS.has(url.split('?')[0] ?? '')
}

/** Responds to CORS preflight requests for `paths`. */
export function answerPreflights(app: FastifyInstance, paths: string): void {
  app.options(paths, (_request, reply) => reply.status(204).send())
}
