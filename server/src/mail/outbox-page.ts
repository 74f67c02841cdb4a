import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { isFromThisMachine } from '../config/from-this-machine.ts'
import type { Keys } from '../config/keys.ts'
import { SERVER_FOLDER } from '../folders.ts'
import { isAuthorized } from '../lib/authorized.ts'
import { outboxFolder } from './mailer.ts'
import { readOutboxFolder } from './outbox-folder.ts'

const PAGE_FOLDER = `${SERVER_FOLDER}outbox-page/`

const MAX_SHOWN_EMAILS = 100

const FILES = {
  '/outbox': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/outbox/outbox.js': { name: 'outbox.js', type: 'text/javascript; charset=utf-8' },
  '/outbox/outbox.css': { name: 'outbox.css', type: 'text/css; charset=utf-8' },
}

export interface OutboxPageDeps {
  config: Config
  keys: Pick<Keys, 'adminKey'>
}

/**
 * `GET /outbox`: shows the emails of a server without SMTP to its administrator. It works only from this machine, and the emails
 * need the key that is printed at start. Otherwise the answer is a 404.
 */
export async function outboxRoutes(app: FastifyInstance, { config, keys }: OutboxPageDeps): Promise<void> {
  if (config.smtpUrl !== null) return
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!isFromThisMachine(request)) return reply.callNotFound()
  })
  for (const [path, { name, type }] of Object.entries(FILES)) {
    app.get(path, async (_request, reply) => reply.type(type).send(await readFile(PAGE_FOLDER + name)))
  }
  app.get('/outbox/mails', async (request, reply) => {
    if (!isAuthorized(request, `Admin ${keys.adminKey}`)) return reply.callNotFound()
    return readOutboxFolder(outboxFolder(config), MAX_SHOWN_EMAILS)
  })
}
