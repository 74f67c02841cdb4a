import { WEBHOOK_MESSAGES } from '@deeb/core/webhooks/messages'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type * as v from 'valibot'
import { jsonSchema } from './json-schema.ts'
import { compress, type SendCached } from './send-cached.ts'

/** Serves /api/openapi.json, generated from the endpoint objects at its first request. Register it before the routes. */
export async function describeApi(app: FastifyInstance, sendCached: SendCached): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'deeb', version: '1', description: 'Errors have one shape; `code` is one of a closed list.' },
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The access token of a sign-in.',
          },
          personalToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'deeb_pat_...',
            description: 'A personal access token with one of the scopes in `x-scopes` of the operation.',
          },
          sign: { type: 'http', scheme: 'bearer' },
        },
      },
    },
    transform: ({ schema, url }) => {
      if (!schema?.summary) return { schema: { ...schema, hide: true }, url }
      const { body, querystring, ...rest } = schema
      return {
        schema: {
          ...rest,
          ...(body ? { body: jsonSchema(body as v.GenericSchema) } : {}),
          ...(querystring ? { querystring: jsonSchema(querystring as v.GenericSchema) } : {}),
        },
        url,
      }
    },
  })
  const document = () => JSON.stringify({ ...app.swagger(), webhooks: WEBHOOKS })
  app.get('/api/openapi.json', (request, reply) =>
    sendCached(request, reply, 'openapi', (encoding) =>
      compress({ type: 'application/json; charset=utf-8', body: document() }, encoding),
    ),
  )
}

/** The messages that the server sends to the URLs of people (Standard Webhooks). */
const WEBHOOKS = Object.fromEntries(
  Object.entries(WEBHOOK_MESSAGES).map(([type, { summary, body }]) => [
    type,
    {
      post: {
        summary,
        parameters: [
          header('webhook-id', 'The message. The same in each attempt, so that a receiver can ignore a repeated one.'),
          header('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
          header(
            'webhook-signature',
            '`v1,` and the signature of `id.timestamp.body` in base64; two of them for a day after a new secret.',
          ),
        ],
        requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body) } } },
        responses: {
          '2XX': { description: 'It has arrived. The body is ignored.' },
          '410': { description: 'The webhook is switched off.' },
          default: { description: 'It is sent again, for 4 hours.' },
        },
      },
    },
  ]),
)

function header(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
