// The complete server on PostgreSQL, which counts the weeks that are due at each SIGUSR2: an hour is too long for a bench.
import { readConfig } from '../../server/dist/config.js'
import { countWeeks } from '../../server/dist/report/count-weeks.js'
import { startServer } from '../../server/dist/start-server.js'
import { stopOnSignal } from '../../server/dist/stop-on-signal.js'
import { withoutLimits } from '../../server/dist/testing/without-limits.js'

const config = readConfig(process.env)
const server = await startServer(config, {
  callLimitStore: withoutLimits(),
  async extend(_app, { db }) {
    process.on('SIGUSR2', () => void countWeeks(db, config.report, new Date()))
  },
})
stopOnSignal(server.stop)
