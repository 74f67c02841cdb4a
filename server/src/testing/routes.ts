import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'
import type * as z from 'zod/mini'

/** What a route says of its input: the schemas that it checks body or query by, where it says so. */
export interface Asked {
  body?: z.ZodMiniType
  querystring?: z.ZodMiniType
}

/** Every `METHOD path` of the apps that `work` makes, but for what Fastify and CORS add by themselves. */
export async function routesMadeBy<T>(work: () => Promise<T>): Promise<{ result: T; routes: Map<string, Asked> }> {
  const routes = new Map<string, Asked>()
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, schema }) => {
      for (const name of [method].flat()) {
        if (name !== 'HEAD' && name !== 'OPTIONS') routes.set(`${name} ${url}`, (schema ?? {}) as Asked)
      }
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    return { result: await work(), routes }
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
}
