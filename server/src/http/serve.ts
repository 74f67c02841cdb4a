import { Readable } from 'node:stream'
import type { Endpoint, InputOf, OutputOf } from '@deeb/core/endpoint'
import { ErrorBody } from '@deeb/core/errors'
import type { Scope } from '@deeb/core/scopes'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as v from 'valibot'
import type { ReportConfig } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import type { Publish } from '../lib/event-bus.ts'
import { Refusal } from '../lib/refusal.ts'
import { validate } from '../lib/validate.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { TokenBucketRule } from '../limits/rate-limit-store.ts'
import { jsonSchema } from './json-schema.ts'
import type { LimitHooks, LimitIps, LimitRequests, WithinLimit } from './rate-limit.ts'
import type { SignedIn } from './signed-in.ts'

interface Call<Input> {
  actor: SignedInActor
  input: Input
  now: Date
}

/** The HTTP request and reply of a call that does more than return an output, such as set a cookie. */
interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** Registers a call for signed-in users. `limit` is the rate limit per account. A `Readable` is the output as JSON text, in pieces. */
export type Serve = <E extends Endpoint>(
  endpoint: E,
  limit: TokenBucketRule,
  handle: (call: Call<InputOf<E>> & Exchange) => Promise<OutputOf<E> | Readable>,
) => void

/** Registers a call for visitors, without authentication. `limit` is the rate limit per IP network. */
export type ServeVisitors = <E extends Endpoint>(
  endpoint: E,
  limit: TokenBucketRule,
  handle: (call: Omit<Call<InputOf<E>>, 'actor'>) => Promise<OutputOf<E>>,
) => void

/** The dependencies of a noun's routes.ts. */
export interface RouteDeps {
  serve: Serve
  db: Db
  /** Call it after the commit. */
  publish: Publish
  /** Enforces a rate limit that depends on the input. */
  withinLimit: WithinLimit
  /** The setting CIRCLE_SIZE. */
  circleSize: number
  report: ReportConfig
}

export interface ServeDeps {
  signedIn: SignedIn
  rateLimit: LimitRequests
  now(): Date
}

/**
 * Serves endpoints as routes of `app`. Authentication and the rate limit come before the body is read; the endpoint's schemas
 * validate the input and serialise the output, which drops every undeclared field.
 */
export function serveOn(app: FastifyInstance, deps: ServeDeps): Serve {
  return (endpoint, limit, handle) => {
    const { hooks, actorOf } = signedInWithin(limit, deps, endpoint.scopes)
    app.route({
      ...routeOf(endpoint),
      schema: { ...schemaOf(endpoint), ...securityOf(endpoint.scopes) },
      ...hooks,
      handler: async (request, reply) => {
        const actor = actorOf(request)
        reply.header('cache-control', 'no-store')
        const answer = await handle({ actor, input: inputOf(endpoint, request), now: deps.now(), request, reply })
        if (answer instanceof Readable) reply.type('application/json; charset=utf-8')
        return answer
      },
    })
  }
}

/**
 * Route hooks that require a signed-in user, or a personal access token with one of `scopes`, and enforce `limit` per account;
 * `actorOf` returns that user. An unauthenticated request takes no token, so it cannot use up the limit of another account. The
 * tokens of a person have buckets of their own: a faulty program does not use up the limit of its owner.
 */
export function signedInWithin(
  limit: TokenBucketRule,
  { signedIn, rateLimit }: Omit<ServeDeps, 'now'>,
  scopes?: readonly Scope[],
) {
  const actors = new WeakMap<FastifyRequest, SignedInActor>()
  const [perToken, perAccount] = [rateLimit(LIMITS.personalToken), rateLimit(limit)]
  const hooks: LimitHooks = {
    async onRequest(request) {
      const actor = await signedIn(request, scopes)
      actors.set(request, actor)
      if (actor.scopes) perToken.take(request, actor.sessionId)
      perAccount.take(request, actor.scopes ? `${actor.userId} tokens` : actor.userId)
    },
    async onError(request, _reply, error) {
      for (const each of [perToken, perAccount]) each.refundAfter(error, request)
    },
  }
  function actorOf(request: FastifyRequest): SignedInActor {
    const actor = actors.get(request)
    if (!actor) throw new Refusal('not_signed_in')
    return actor
  }
  return { hooks, actorOf }
}

/** The same for visitors, with a rate limit per IP network. */
export function serveVisitorsOn(
  app: FastifyInstance,
  { ipRateLimit, now }: Pick<ServeDeps, 'now'> & { ipRateLimit: LimitIps },
): ServeVisitors {
  return (endpoint, limit, handle) => {
    app.route({
      ...routeOf(endpoint),
      schema: schemaOf(endpoint),
      ...ipRateLimit(limit),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        reply.header('cache-control', 'no-store')
        return handle({ input: inputOf(endpoint, request), now: now() })
      },
    })
  }
}

function routeOf({ method, path }: Endpoint) {
  return { method, url: path }
}

const ERROR = jsonSchema(ErrorBody)

export function schemaOf({ method, summary, input, output }: Endpoint) {
  return {
    summary,
    [method === 'GET' ? 'querystring' : 'body']: input,
    response: { 200: jsonSchema(output), '4xx': ERROR, '5xx': ERROR },
  }
}

/** How a route is marked in the OpenAPI document. Personal access tokens need one of `x-scopes`. */
export function securityOf(scopes: readonly Scope[] = []) {
  if (scopes.length === 0) return { security: [{ bearer: [] }] }
  return { security: [{ bearer: [] }, { personalToken: [] }], 'x-scopes': scopes }
}

/** The input, already validated by the route's schema. */
function inputOf<E extends Endpoint>({ method }: E, request: FastifyRequest): InputOf<E> {
  return (method === 'GET' ? request.query : request.body) as InputOf<E>
}

/** Makes Fastify validate with the schemas of the endpoints. */
export function validateInputs(app: FastifyInstance): void {
  app.setValidatorCompiler<v.GenericSchema>(({ schema }) => (data) => {
    const result = validate(schema, data ?? {})
    if (result.success) return { value: result.output }
    return { error: new Refusal('invalid_input', result.wrong) }
  })
}

const selectSerializer = SerializerSelector()

/** Compiles the serializer of an answer when it is sent for the first time: most of some 400 are never sent by a process. */
export const serializeLate = {
  buildSerializer(...shared: Parameters<typeof selectSerializer>) {
    const compile = selectSerializer(...shared)
    return (route: Parameters<typeof compile>[0]) => {
      let serialize: ReturnType<typeof compile> | undefined
      return (data: unknown) => {
        serialize ??= compile(route)
        return serialize(data)
      }
    }
  },
}
