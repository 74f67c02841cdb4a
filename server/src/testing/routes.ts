import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/** Every `METHOD path` of the apps that `work` makes, but for what Fastify and CORS add by themselves. */
export async function routesMadeBy<T>(work: () => Promise<T>): Promise<{ result: T; routes: Set<string> }> {
  const routes = new Set<string>()
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) if (name !== 'HEAD' && name !== 'OPTIONS') routes.add(`${name} ${url}`)
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    return { result: await work(), routes }
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
}
