import type { FastifyInstance } from 'fastify'

/** Where the web view of the native apps says it comes from. */
const APP_ORIGINS = ['https://localhost', 'capacitor://localhost']

const PREFLIGHT = {
  'access-control-allow-headers': 'authorization, content-type, x-client-info, x-supabase-api-version, apikey',
  'access-control-allow-methods': 'GET, POST, PUT, DELETE',
  'access-control-max-age': '600',
}

/**
 * Lets our own pages and the native apps read the answers of `app`, whose paths all match `paths`, and nobody else. No
 * cookies cross origins.
 */
export function allowOwnOrigins(app: FastifyInstance, publicUrl: string, paths: string): void {
  const allowed = new Set([new URL(publicUrl).origin, ...APP_ORIGINS])
  app.addHook('onRequest', async (request, reply) => {
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) return
    reply.header('access-control-allow-origin', origin)
    reply.header('access-control-expose-headers', 'x-supabase-api-version, retry-after')
    if (request.method === 'OPTIONS') reply.headers(PREFLIGHT)
  })
  app.options(paths, (_request, reply) => reply.status(204).send())
}
