import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdir } from 'node:fs/promises'
import type { Endpoint } from '@deeb/core/endpoint'
import type { FastifyInstance } from 'fastify'
import type * as v from 'valibot'
import { test as base, closing } from './test.ts'
import { startTestApp } from './test-app.ts'

/** The schemas by which a route validates its input, if it has any. */
export interface Asked {
  body?: v.GenericSchema
  querystring?: v.GenericSchema
}

const CORE = new URL('../../../core/src/', import.meta.url)

/** Every endpoint object that an `api.ts` or `…-api.ts` of core exports. */
export async function endpointsOfCore(): Promise<Endpoint[]> {
  const files = (await readdir(CORE, { recursive: true })).filter((path) => /(^|[\\/-])api\.ts$/.test(path))
  const modules = files.map((path) => import(new URL(path.replaceAll('\\', '/'), CORE).href))
  return (await Promise.all(modules)).flatMap((module) => Object.values(module).filter(isEndpoint))
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'summary' in value
}

/** Every `METHOD path` of the apps that `work` creates, except those that Fastify and CORS add. */
async function routesMadeBy<T>(work: () => Promise<T>): Promise<{ result: T; routes: Map<string, Asked> }> {
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

/** The test function of tests about all routes: `routes` are those of the app. */
export const test = base
  .extend('made', { scope: 'file' }, async ({ settings, stores, clock }, { onCleanup }) => {
    const made = await routesMadeBy(() => startTestApp(settings, undefined, { clock, ...stores }))
    onCleanup(closing(made.result))
    return made
  })
  .extend('app', { scope: 'file' }, ({ made }) => made.result)
  .extend('routes', { scope: 'file' }, ({ made }) => made.routes)
