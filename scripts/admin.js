// Runs an admin command on the database of the environment: npm run admin -- user list
import { buildIfStale } from './build-if-stale.js'

buildIfStale()
await import('../server/dist/cli.js')
