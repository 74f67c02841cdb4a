// Serves the app, the public pages and the API on one port. Vite serves the web with hot replacement and proxies the rest to
// the server, which restarts when core or server change. The port is PORT or 5173.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, watch } from 'node:fs'
import { createServer as createSocket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { run } from './run.js'
import { stopWithParent } from './stop-with-parent.js'
import { compileTexts, TEXTS_FOLDER } from './texts.js'

const root = fileURLToPath(new URL('..', import.meta.url))

// npm sets "production" (.npmrc), and React has no hot replacement there.
process.env.NODE_ENV = 'development'
await compileTexts()
if ((await run('tsc', ['-b', 'core', 'server'])) !== 0) process.exit(1)

// The server needs the folder of the built web to exist. A fresh clone does not have it, and here Vite serves the web.
mkdirSync(`${root}web/dist`, { recursive: true })

const apiPort = await freePort()
process.env.DEEB_API = `http://127.0.0.1:${apiPort}`
const port = Number(process.env.PORT ?? 5173)
const web = await createServer({ root: `${root}web`, clearScreen: false, server: { port } })
await web.listen()
const [url = ''] = web.resolvedUrls?.local ?? []
const publicUrl = process.env.PUBLIC_URL ?? url.replace(/\/$/, '')

// A changed text is compiled, and Vite and the server see its module change. One save is several events.
let compiled = Promise.resolve()
watch(TEXTS_FOLDER, { recursive: true }, () => {
  compiled = compiled.then(compileTexts).catch(console.error)
})

const children = [
  start(['node_modules/typescript/bin/tsc', '-b', 'core', 'server', '--watch', '--preserveWatchOutput']),
  start(['--watch', 'server/dist/main.js'], { PORT: `${apiPort}`, HOST: '127.0.0.1', PUBLIC_URL: publicUrl }),
]
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void stop())
stopWithParent()

/** Starts a Node process in its own process group: tsc is a wrapper, and its compiler has to stop with it. */
function start(args, env = {}) {
  const detached = process.platform !== 'win32'
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env }, detached })
}

async function stop() {
  const running = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
  const ended = running.map((child) => once(child, 'exit'))
  for (const { pid } of running) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM')
  await Promise.all(ended)
  process.exit(0)
}

/** An unused port. */
async function freePort() {
  const socket = createSocket().listen(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
