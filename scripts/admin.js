// The operator's commands, on the database that the environment names.
import { buildIfStale } from './build-if-stale.js'

buildIfStale()
await import('../server/dist/cli.js')
