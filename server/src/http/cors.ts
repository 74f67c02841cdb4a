import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { API_PATH } from './errors.ts'

/** Where the web view of a native app says it comes from. */
const ANDROID_ORIGIN = 'https://localhost'
const IOS_ORIGIN = 'capacitor://localhost'

const PREFLIGHT = {
  'access-control-allow-headers': 'authorization, content-type, x-client-info, x-supabase-api-version, apikey',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-max-age': '600',
}

const EXPOSED = `x-supabase-api-version, retry-after, ${OLDEST_CLIENT_HEADER}`

type OwnOrigins = Pick<Config, 'publicUrl' | 'androidApp' | 'iosAppId'>

/**
 * Lets our own pages, and the native apps that were made for this server, read what the API and the account service answer,
 * refusals too, and nobody else. No cookies cross origins. To come before whatever may refuse a request.
 */
export function allowOwnOrigins(app: FastifyInstance, { publicUrl, androidApp, iosAppId }: OwnOrigins): void {
  const allowed = new Set([new URL(publicUrl).origin])
  if (androidApp) allowed.add(ANDROID_ORIGIN)
  if (iosAppId) allowed.add(IOS_ORIGIN)
  app.addHook('onRequest', async (request, reply) => {
    if (!API_PATH.test(request.url)) return
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', EXPOSED)
    if (request.method === 'OPTIONS') reply.headers(PREFLIGHT)
  })
}

/** Answers the questions that browsers ask first, for `paths`. */
export function answerPreflights(app: FastifyInstance, paths: string): void {
  app.options(paths, (_request, reply) => reply.status(204).send())
}
