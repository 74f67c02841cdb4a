import type { Endpoint, InputOf, OutputOf } from '@deeb/core/endpoint'
import { ErrorBody } from '@deeb/core/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toJSONSchema } from 'zod'
import type * as mini from 'zod/mini'
import type { Device } from '../actor.ts'
import type { Db } from '../db/db.ts'
import type { Announce } from '../live/event-bus.ts'
import { Refusal } from '../refusal.ts'
import type { AddressLimit, LimitByAddress } from './rate-limit.ts'

interface Call<Input> {
  actor: Device
  input: Input
  now: Date
}

export type Serve = <E extends Endpoint>(endpoint: E, handle: (call: Call<InputOf<E>>) => Promise<OutputOf<E>>) => void

/** For endpoints that ask nobody to sign in. They say how often one address may call. */
export type ServeVisitors = <E extends Endpoint>(
  endpoint: E,
  limit: AddressLimit,
  handle: (call: Omit<Call<InputOf<E>>, 'actor'>) => Promise<OutputOf<E>>,
) => void

/** What a noun's routes.ts is given. */
export interface RouteDeps {
  serve: Serve
  db: Db
  /** To be told after the commit. */
  announce: Announce
}

export interface ServeDeps {
  signedIn(request: FastifyRequest): Promise<Device>
  now(): Date
}

/**
 * How endpoints become routes of `app`: the token is checked before the body is read, the input by the endpoint's own
 * schema, and the answer is written by a serialiser made from the output schema, which leaves out whatever the schema
 * does not declare.
 */
export function serveOn(app: FastifyInstance, { signedIn, now }: ServeDeps): Serve {
  return (endpoint, handle) => {
    const actors = new WeakMap<FastifyRequest, Device>()
    app.route({
      ...routeOf(endpoint),
      schema: { ...schemaOf(endpoint), security: [{ bearer: [] }] },
      onRequest: async (request) => void actors.set(request, await signedIn(request)),
      handler: async (request, reply) => {
        const actor = actors.get(request)
        if (!actor) throw new Refusal('not_signed_in')
        reply.header('cache-control', 'no-store')
        return handle({ actor, input: inputOf(endpoint, request), now: now() })
      },
    })
  }
}

/** The same for visitors. Only what has the endpoint's shape counts against the limit: the rest costs nothing. */
export function serveVisitorsOn(
  app: FastifyInstance,
  { limitByAddress, now }: Pick<ServeDeps, 'now'> & { limitByAddress: LimitByAddress },
): ServeVisitors {
  return (endpoint, limit, handle) => {
    const take = limitByAddress(limit)
    app.route({
      ...routeOf(endpoint),
      schema: schemaOf(endpoint),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const at = now()
        reply.header('cache-control', 'no-store')
        await take(request, reply, at)
        return handle({ input: inputOf(endpoint, request), now: at })
      },
    })
  }
}

function routeOf({ method, path }: Endpoint) {
  return { method, url: path }
}

function schemaOf({ method, summary, input, output }: Endpoint) {
  return {
    summary,
    [method === 'GET' ? 'querystring' : 'body']: input,
    response: { 200: jsonSchema(output), '4xx': jsonSchema(ErrorBody), '5xx': jsonSchema(ErrorBody) },
  }
}

/** Validated: the schema stands on the route. */
function inputOf<E extends Endpoint>({ method }: E, request: FastifyRequest): InputOf<E> {
  return (method === 'GET' ? request.query : request.body) as InputOf<E>
}

/** Makes Fastify validate with the zod schemas that the endpoints carry. */
export function validateWithZod(app: FastifyInstance): void {
  app.setValidatorCompiler<mini.ZodMiniType>(({ schema }) => (data) => {
    const result = schema.safeParse(data ?? {})
    if (result.success) return { value: result.data }
    const fields = result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
    return { error: new Refusal('invalid_input', fields) }
  })
}

export function jsonSchema(schema: mini.ZodMiniType): Record<string, unknown> {
  const { $schema, ...rest } = toJSONSchema(schema, { target: 'draft-7' })
  return rest
}
