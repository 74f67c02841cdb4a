// Builds if the build is missing or stale, then runs the server in this process.
import { buildIfStale } from './build-if-stale.js'
import { stopWithParent } from './stop-with-parent.js'

buildIfStale()
await import('../server/dist/main.js')
stopWithParent()
