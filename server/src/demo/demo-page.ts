import { readdir, readFile } from 'node:fs/promises'
import type { Language } from '@deeb/core/languages'
import * as texts from '@deeb/texts/demo'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { callerOf } from '../auth/http/caller.ts'
import { SERVER_FOLDER, WEB_FOLDER } from '../folders.ts'
import { createLimitRequests } from '../http/rate-limit.ts'
import { languageOf, VARY_BY_LANGUAGE } from '../lib/language.ts'
import { callerNetwork } from '../limits/ip-network.ts'
import type { Visitors } from './visitors.ts'

const PAGE_FOLDER = `${SERVER_FOLDER}demo-page/`

const ASSETS = `${WEB_FOLDER}assets/`

export const DEMO_PATH = '/demo'

const FILES = {
  '/demo/demo.js': { name: 'demo.js', type: 'text/javascript; charset=utf-8' },
  '/demo/demo.css': { name: 'demo.css', type: 'text/css; charset=utf-8' },
}

/** The page in a language: it has placeholders such as `%about%`. */
async function pageIn(language: Language): Promise<string> {
  const html = await readFile(`${PAGE_FOLDER}index.html`, 'utf8')
  const textOf: Record<string, typeof texts.title> = texts
  return html
    .replace('lang="en"', `lang="${language}"`)
    .replaceAll(/%(\w+)%/g, (placeholder, key: string) => textOf[key]?.({}, { locale: language }) ?? placeholder)
}

/**
 * Each visit makes a company. Per IPv4 address or IPv6 /48: an office of 40 people behind one address can look at the same time. It
 * refills in a day, so that in the two hours for which a company stays, one network takes less than half of MAX_VISITORS.
 */
export const VISITS = { name: 'demo-visit', burst: 40, seconds: 24 * 3_600 }

/** `GET /demo`: a page with a button that signs the visitor in as the demo user of a company of their own. */
export function demoRoutes(
  app: FastifyInstance,
  { config, limitStore, now }: Pick<AuthDeps, 'config' | 'limitStore' | 'now'>,
  visitors: Pick<Visitors, 'receive'>,
): void {
  app.get('/demo/font.woff2', async (_request, reply) => {
    // The build adds a hash to the name.
    const font = (await readdir(ASSETS)).find((name) => name.startsWith('hanken-grotesk-latin-wght'))
    if (!font) return reply.callNotFound()
    return reply.type('font/woff2').send(await readFile(ASSETS + font))
  })
  app.get(DEMO_PATH, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', vary: VARY_BY_LANGUAGE })
    return reply.type('text/html; charset=utf-8').send(await pageIn(languageOf(request)))
  })
  const visits = createLimitRequests(limitStore, now)(VISITS)
  const limitVisits = {
    // Not per /64 as elsewhere: the sixteen times as much of a /48 are more than all companies.
    onRequest: async (request: FastifyRequest) => visits.take(request, callerNetwork(callerOf(request, config).ip)),
    onError: async (request: FastifyRequest, _reply: FastifyReply, error: Error) => visits.refundAfter(error, request),
  }
  app.post('/demo/person', limitVisits, async (_request, reply) => {
    return reply.header('cache-control', 'no-store').send(await visitors.receive())
  })
  for (const [path, { name, type }] of Object.entries(FILES)) {
    app.get(path, async (_request, reply) => {
      return reply
        .header('cache-control', 'no-store')
        .type(type)
        .send(await readFile(PAGE_FOLDER + name))
    })
  }
}
