import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { bearerToken } from '../auth/auth-session/access-token.ts'
import { AuthError } from '../auth/http/auth-error.ts'
import { callerOf } from '../auth/http/caller.ts'
import { createSemaphore } from '../auth/password/semaphore.ts'
import { DatabaseOutage, isRefusedValue } from '../db/db.ts'
import { createLruMap } from '../lib/lru-map.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { createSecretLimits } from '../limits/secret-limits.ts'
import { discoveryOf, listResponse } from './discovery.ts'
import { parseFilter } from './filter.ts'
import { locationOf, resourceOf } from './resource.ts'
import { ERROR_SCHEMA } from './schemas.ts'
import { badRequest, notFound, ScimError } from './scim-error.ts'
import { hashOfToken, providerOfToken, readTokenHashes } from './token.ts'
import { addUser, listUsers, MAX_PAGE, patchUser, readUser, removeScimUser, replaceUser, type Write } from './users.ts'
import type { Json } from './values.ts'

export const SCIM_PATH = '/scim/v2'

/** The URL of a request without the slash that some directories put behind every path. */
export function plainScimUrl(url: string): string {
  if (!url.startsWith(SCIM_PATH)) return url
  const [path = '', query = ''] = url.split(/(?=\?)/)
  const plain = path.replace(/\/+$/, '')
  return (plain === SCIM_PATH ? `${plain}/` : plain) + query
}

const CONTENT_TYPE = 'application/scim+json; charset=utf-8'
const DEFAULT_PAGE = 100
const RETRY_AFTER_SECONDS = 5

/** Each write waits for the ones before of the same company: without a limit they would use up the database connections. */
const MAX_RUNNING_WRITES = 2
const MAX_COMPANIES = 10_000
/** Requests without a token are limited like those with a wrong one. */
const NO_TOKEN = Buffer.alloc(0)

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * SCIM 2.0 (RFC 7643 and 7644) for the directories of companies. Register it as a plugin with the prefix SCIM_PATH: its error handler
 * and body parser apply only there. Every request needs a token of the directory; the tokens of people are refused.
 */
export async function scimRoutes(app: FastifyInstance, auth: AuthDeps): Promise<void> {
  const { config, db, now } = auth
  const { publicUrl } = config
  const discovery = discoveryOf(publicUrl)
  const providerOf = authenticate(app, auth)
  const limited = limitWrites()
  parseBodies(app)
  answerInScim(app)

  const write = <Result>(request: FastifyRequest, work: (write: Write) => Promise<Result>) => {
    const providerId = providerOf(request)
    return limited(providerId, () => work({ providerId, now: now(), warn: (what) => request.log.warn(what) }))
  }

  app.get('/Users', async (request, reply) => {
    const { filter, startIndex, count } = readQuery(request)
    const parsed = filter === undefined ? {} : parseFilter(filter)
    if (parsed === null) return send(reply, 200, listResponse([], { total: 0, startIndex }))
    const { total, users } = await listUsers(db, providerOf(request), parsed, { count, skipped: startIndex - 1 })
    const resources = users.map((user) => resourceOf(user, publicUrl))
    return send(reply, 200, listResponse(resources, { total, startIndex }))
  })

  app.post('/Users', async (request, reply) => {
    const user = await write(request, (write) => addUser(auth, write, request.body as Json))
    reply.header('location', locationOf(user, publicUrl))
    return send(reply, 201, resourceOf(user, publicUrl))
  })

  app.get('/Users/:id', async (request, reply) =>
    send(reply, 200, resourceOf(await readUser(db, providerOf(request), idOf(request)), publicUrl)),
  )

  app.put('/Users/:id', async (request, reply) => {
    const id = idOf(request)
    const user = await write(request, (write) => replaceUser(auth, write, id, request.body as Json))
    return send(reply, 200, resourceOf(user, publicUrl))
  })

  app.patch('/Users/:id', async (request, reply) => {
    const id = idOf(request)
    const user = await write(request, (write) => patchUser(auth, write, id, request.body as Json))
    return send(reply, 200, resourceOf(user, publicUrl))
  })

  app.delete('/Users/:id', async (request, reply) => {
    const id = idOf(request)
    await write(request, (write) => removeScimUser(auth, write, id))
    return reply.status(204).send()
  })

  // Entra asks for groups when it tests the connection. None are kept.
  app.get('/Groups', async (_request, reply) => send(reply, 200, listResponse([], { total: 0, startIndex: 1 })))

  app.get('/ServiceProviderConfig', async (_request, reply) => send(reply, 200, discovery.config))

  app.get('/ResourceTypes', async (_request, reply) =>
    send(reply, 200, listResponse([discovery.user], { total: 1, startIndex: 1 })),
  )

  app.get('/ResourceTypes/User', async (_request, reply) => send(reply, 200, discovery.user))

  app.get('/Schemas', async (_request, reply) =>
    send(reply, 200, listResponse(discovery.schemas, { total: discovery.schemas.length, startIndex: 1 })),
  )

  app.get('/Schemas/:id', async (request, reply) => {
    const schema = discovery.schemas.find(({ id }) => id === (request.params as { id: string }).id)
    if (!schema) throw notFound()
    return send(reply, 200, schema)
  })

  // Without this route, an unknown path would be served as a file of the web.
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = (request.params as { '*': string })['*']
    // Connection tests ask for the base address.
    if (path === '' && request.method === 'GET') return send(reply, 200, discovery.config)
    const isUnsupported = /^(Bulk|Me)(\/|$)/.test(path) || (/^Groups(\/|$)/.test(path) && request.method !== 'GET')
    throw isUnsupported ? new ScimError(501, 'This server does not support this.') : notFound()
  }
  app.route({ method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], url: '/*', exposeHeadRoute: false, handler })
}

/**
 * Requires the token of a directory. The directories of many companies share the addresses of their cloud, so one that has worked is not
 * limited by its network.
 */
function authenticate(app: FastifyInstance, { config, db, limitStore, now }: AuthDeps) {
  const providers = new WeakMap<FastifyRequest, string>()
  const limits = createSecretLimits(limitStore, { unknown: LIMITS.scimToken })
  // Single-flight. After a restart, strangers in the cloud of a directory must not use up its first requests.
  let reading: Promise<void> | null = null
  const readKnown = async (at: Date) => {
    for (const hash of await readTokenHashes(db, MAX_COMPANIES, at)) limits.know(hash)
  }
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const at = now()
    reading ??= readKnown(at).catch((error: unknown) => {
      reading = null
      throw error
    })
    await reading
    const hash = hashOfToken(bearerToken(request))
    const { ip } = callerOf(request, config)
    const providerId = await limits.find(hash ?? NO_TOKEN, ip, at, async () => hash && providerOfToken(db, hash, at))
    if (providerId === null) {
      reply.header('www-authenticate', 'Bearer')
      throw new ScimError(401, 'The token is not valid.')
    }
    const waitSeconds = limitStore.take(LIMITS.scim, providerId, at)
    if (waitSeconds > 0) throw new Refusal('too_many_attempts', undefined, waitSeconds)
    providers.set(request, providerId)
  })
  return (request: FastifyRequest): string => {
    const providerId = providers.get(request)
    if (providerId === undefined) throw new ScimError(401, 'The token is not valid.')
    return providerId
  }
}

/** Runs at most two writes of a company concurrently. Throws a 503 when too many wait. */
function limitWrites() {
  const semaphores = createLruMap<string, ReturnType<typeof createSemaphore>>(MAX_COMPANIES)
  return <Result>(providerId: string, work: () => Promise<Result>): Promise<Result> => {
    const maxWaiting = LIMITS.scimWrites.max
    const semaphore = semaphores.get(providerId) ?? createSemaphore({ maxRunning: MAX_RUNNING_WRITES, maxWaiting })
    semaphores.set(providerId, semaphore)
    return semaphore(work)
  }
}

function parseBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const options = { parseAs: 'string', bodyLimit: LIMITS.scimBody.max } as const
  const types = ['application/scim+json', 'application/json']
  app.addContentTypeParser(types, options, async (_request: unknown, text: string): Promise<unknown> => {
    if (text === '') return undefined
    try {
      return JSON.parse(text)
    } catch {
      throw badRequest('invalidSyntax', 'The body is not JSON.')
    }
  })
}

function answerInScim(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const known = asScimError(error as Error)
    if (!known && !(error instanceof DatabaseOutage))
      request.log.error({ err: error, requestId: request.id }, 'scim request failed')
    const {
      status,
      scimType,
      message,
      retryAfterSeconds = RETRY_AFTER_SECONDS,
    } = known ?? new ScimError(503, 'The server cannot answer right now. Try again shortly.')
    if (status === 429 || status === 503) reply.header('retry-after', String(retryAfterSeconds))
    return send(reply, status, {
      schemas: [ERROR_SCHEMA],
      status: String(status),
      ...(scimType && { scimType }),
      detail: message,
    })
  })
}

/** Maps errors about a request; null for a failure of the server. */
function asScimError(error: Error): ScimError | null {
  if (error instanceof ScimError) return error
  if (isRefusedValue(error)) return badRequest('invalidValue', 'A value cannot be stored.')
  if (error instanceof Refusal && error.status === 429)
    return new ScimError(429, 'Too many requests. Try again later.', undefined, error.retryAfterSeconds)
  // Too many writes wait, or the server sheds load.
  if (error instanceof AuthError || error instanceof Refusal) return unavailable()
  const status = 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return new ScimError(413, 'The request is too large.')
  if (status === 415) return new ScimError(415, 'The body must be application/scim+json.')
  return status >= 400 && status < 500 ? badRequest('invalidSyntax', 'The request is not valid.') : null
}

function unavailable(): ScimError {
  return new ScimError(503, 'The server cannot answer right now. Try again shortly.')
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.status(status).type(CONTENT_TYPE).send(JSON.stringify(body))
}

function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string }
  if (!UUID.test(id)) throw notFound()
  return id.toLowerCase()
}

/** Reads the parameters of a list. A page before the first is the first. Throws `invalidValue`. */
function readQuery(request: FastifyRequest) {
  const query = request.query as Record<string, unknown>
  const { filter } = query
  if (filter !== undefined && typeof filter !== 'string') throw badRequest('invalidFilter', 'There can be one filter.')
  return {
    filter,
    startIndex: Math.max(1, integerOf(query.startIndex, 1)),
    count: Math.min(MAX_PAGE, Math.max(0, integerOf(query.count, DEFAULT_PAGE))),
  }
}

function integerOf(value: unknown, otherwise: number): number {
  if (value === undefined || value === '') return otherwise
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) {
    throw badRequest('invalidValue', 'startIndex and count must be integers.')
  }
  return Number(value)
}
