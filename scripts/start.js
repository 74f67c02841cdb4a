// Builds what is missing or stale, then runs the server in this process.
import { buildIfStale } from './build-if-stale.js'

const LOOK_EVERY_MS = 500

buildIfStale()
await import('../server/dist/main.js')

// `npm start` puts a shell between itself and us, and passes a signal on to that only. When it is gone, so are we.
const parent = process.ppid
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS).unref()
}
