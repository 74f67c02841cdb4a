// Runs servers of journeys, on the orders of host.ts. The first argument is the folder of the built server.
// Servers in one process share its loaded modules. Each has its own clock. The process ends with its parent.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const load = (name) => import(pathToFileURL(join(process.argv[2], name)).href)
const { readConfig } = await load('config/config.js')
const { startServer } = await load('start/start-server.js')
const { stopOnSignal } = await load('start/stop-on-signal.js')

/** The running servers, by port. */
const servers = new Map()

const orders = {
  async start({ port, aheadMs, env }) {
    const server = { aheadMs, waiting: null }
    const { stop, mailNote } = await startServer(readConfig({ ...env, PORT: `${port}` }), {
      now: () => new Date(Date.now() + server.aheadMs),
      // Nearly every journey waits for an email.
      deferMail: (send) => send(),
      extend: async (app) => holdRequests(app.server, server),
    })
    servers.set(port, Object.assign(server, { stop }))
    return mailNote
  },
  /** Requests wait from now on, while the parent moves other clocks. */
  wait({ port }) {
    servers.get(port).waiting = []
  },
  travel({ port, ms }) {
    const server = servers.get(port)
    const late = server.waiting ?? []
    server.aheadMs += ms
    server.waiting = null
    for (const handle of late) handle()
  },
  async stop({ port }) {
    const server = servers.get(port)
    servers.delete(port)
    await server?.stop()
  },
}

function holdRequests(http, server) {
  const emit = http.emit.bind(http)
  http.emit = (event, ...values) => {
    if (event !== 'request' || !server.waiting) return emit(event, ...values)
    server.waiting.push(() => emit(event, ...values))
    return true
  }
}

stopOnSignal((options) => Promise.all([...servers.values()].map(({ stop }) => stop(options))))
process.on('message', async ({ id, order, ...values }) => {
  try {
    process.send({ id, answer: await orders[order](values) })
  } catch (error) {
    process.send({ id, error: error.message })
  }
})
process.on('disconnect', () => process.exit())
process.send({ id: 0 })
