import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import type * as mini from 'zod/mini'
import { jsonSchema } from './serve.ts'

/** Serves /api/openapi.json, generated from the endpoint objects. Register it before the routes. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      info: { title: 'deeb', version: '1', description: 'Errors have one shape; `code` is one of a closed list.' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: ({ schema, url }) => {
      if (!schema?.summary) return { schema: { ...schema, hide: true }, url }
      const { body, querystring, ...rest } = schema
      return {
        schema: {
          ...rest,
          ...(body ? { body: jsonSchema(body as mini.ZodMiniType) } : {}),
          ...(querystring ? { querystring: jsonSchema(querystring as mini.ZodMiniType) } : {}),
        },
        url,
      }
    },
  })
  app.get('/api/openapi.json', async () => app.swagger())
}
