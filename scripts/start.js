// Runs the server in this process, so that a signal reaches it.
import { buildIfStale } from './build-if-stale.js'

buildIfStale()
await import('../server/dist/main.js')
