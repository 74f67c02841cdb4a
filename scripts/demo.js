// Starts the demo: a sample company whose colleagues switch on and off, with its own data.
import { buildIfStale } from './build-if-stale.js'
import { stopWithParent } from './stop-with-parent.js'

buildIfStale()
await import('../server/dist/demo/main.js')
stopWithParent()
