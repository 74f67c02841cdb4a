// Serves the app, the public pages and the API on one port. Vite serves the web with hot replacement and proxies the rest to
// the server, which restarts when a module of it changes. The port is PORT or 5173.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, watch } from 'node:fs'
import { parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { makeNewDatabase, watchServer } from '../server/build.js'
import { freePort } from './free-port.js'
import { stopWithParent } from './stop-with-parent.js'
import { compileRoom, compileTexts, TEXTS_FOLDER } from './texts.js'

const root = fileURLToPath(new URL('..', import.meta.url))

// npm sets "production" (.npmrc), and React has no hot replacement there.
process.env.NODE_ENV = 'development'
const databaseIsMade = makeNewDatabase()
compileTexts()

// The server needs the folder of the built web to exist. A fresh clone does not have it, and here Vite serves the web.
mkdirSync(`${root}web/dist`, { recursive: true })

const apiPort = await freePort()
process.env.DEEB_API = `http://127.0.0.1:${apiPort}`
const port = Number(process.env.PORT ?? 5173)
const web = await createServer({ root: `${root}web`, clearScreen: false, server: { port } })
await web.listen()
const [url = ''] = web.resolvedUrls?.local ?? []
const publicUrl = process.env.PUBLIC_URL ?? url.replace(/\/$/, '')

// The room of a changed text is compiled, and Vite and the server see its module change.
watch(TEXTS_FOLDER, { recursive: true }, (_event, file) => {
  const { name: room, ext } = parse(file ?? '')
  try {
    if (ext === '.json') compileRoom(room)
  } catch (error) {
    // A file in the middle of a save, or with a wrong text.
    console.error(`${file}: ${error.message}`)
  }
})

let server = null
let isStopping = false
/** Restarts of the server, one after the other. */
let restarted = databaseIsMade
/** The text of the program that runs. It names its chunks, whose names have the hashes of their content. */
let running = ''
const bundler = watchServer()
bundler.on('event', async (event) => {
  if (event.code === 'ERROR') console.error(event.error.message)
  if (event.code === 'BUNDLE_END') restarted = restarted.then(restartIfChanged).catch(console.error)
  if (event.code === 'ERROR' || event.code === 'BUNDLE_END') await event.result.close()
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => void stop())
stopWithParent()

/** A text or a rule that only the web uses changes nothing in the bundle of the server. */
async function restartIfChanged() {
  const program = readFileSync(`${root}server/dist/main.js`, 'utf8')
  if (program === running) return
  running = program
  await stopServer()
  if (isStopping) return
  const env = { ...process.env, PORT: `${apiPort}`, HOST: '127.0.0.1', PUBLIC_URL: publicUrl }
  // The server is restarted too often to optimize its WebAssembly, which takes half of a start.
  server = spawn(process.execPath, ['--liftoff-only', 'server/dist/main.js'], { cwd: root, stdio: 'inherit', env })
}

async function stopServer() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill()
  await ended
}

async function stop() {
  isStopping = true
  await Promise.all([bundler.close(), restarted.then(stopServer)])
  process.exit(0)
}
