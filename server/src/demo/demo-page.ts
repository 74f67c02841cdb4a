import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

/** The same folder from src/demo and from dist/demo. */
const PAGE_FOLDER = fileURLToPath(new URL('../../demo-page/', import.meta.url))

const ASSETS = fileURLToPath(new URL('../../../web/dist/assets/', import.meta.url))

export const DEMO_PATH = '/demo'

const FILES = {
  [DEMO_PATH]: { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/demo/demo.js': { name: 'demo.js', type: 'text/javascript; charset=utf-8' },
  '/demo/demo.css': { name: 'demo.css', type: 'text/css; charset=utf-8' },
}

/** `GET /demo`: a page with a button that signs the visitor in as the demo user. */
export async function demoRoutes(app: FastifyInstance, person: { email: string; password: string }): Promise<void> {
  app.get('/demo/font.woff2', async (_request, reply) => {
    // The build adds a hash to the name.
    const font = (await readdir(ASSETS)).find((name) => name.startsWith('hanken-grotesk-latin-wght'))
    if (!font) return reply.callNotFound()
    return reply.type('font/woff2').send(await readFile(ASSETS + font))
  })
  app.get('/demo/person', async (_request, reply) => reply.header('cache-control', 'no-store').send(person))
  for (const [path, { name, type }] of Object.entries(FILES)) {
    app.get(path, async (_request, reply) => {
      return reply
        .header('cache-control', 'no-store')
        .type(type)
        .send(await readFile(PAGE_FOLDER + name))
    })
  }
}
