import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Keys } from '../auth/keys.ts'
import type { Config } from '../config.ts'
import { isLoopback } from './loopback.ts'
import { outboxFolder } from './mailer.ts'
import { readOutboxFolder } from './outbox-folder.ts'

/** The same place for src/mail and for dist/mail. */
const PAGE_FOLDER = fileURLToPath(new URL('../../outbox-page/', import.meta.url))

const SHOWN_MAILS = 100

const FILES = {
  '/outbox': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/outbox/outbox.js': { name: 'outbox.js', type: 'text/javascript; charset=utf-8' },
  '/outbox/outbox.css': { name: 'outbox.css', type: 'text/css; charset=utf-8' },
}

export interface OutboxPageDeps {
  config: Config
  keys: Pick<Keys, 'operatorKey'>
}

/**
 * `GET /outbox`: the mails of a server that sends none, for whoever started it. There only without SMTP, only from this
 * machine, and the mails only with the key printed at the start; whoever lacks any of it finds nothing here.
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
    if (!hasKey(request, keys.operatorKey)) return reply.callNotFound()
    return readOutboxFolder(outboxFolder(config), SHOWN_MAILS)
  })
}

/**
 * The address alone proves little: a proxy, or a page in the browser with a name of its own for 127.0.0.1, comes from
 * here too. The first one says so in a header, the second in Host.
 */
function isFromThisMachine({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'))
  const host = (headers.host ?? '').replace(/:\d+$/, '')
  return isLoopback(socket.remoteAddress ?? '') && isLoopback(host) && !isForwarded
}

function hasKey({ headers }: FastifyRequest, operatorKey: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Operator ${operatorKey}`))
}
