// A company with colleagues who come and go, on data of its own.
import { buildIfStale } from './build-if-stale.js'
import { stopWithParent } from './stop-with-parent.js'

buildIfStale()
await import('../server/dist/demo/main.js')
stopWithParent()
