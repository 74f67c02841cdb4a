// The complete server on PostgreSQL, which counts the weeks that are due at each SIGUSR2: an hour is too long for a bench.
import { readConfig } from '../../server/src/config/config.ts'
import { countWeeks } from '../../server/src/report/count-weeks.ts'
import { startServer } from '../../server/src/start/start-server.ts'
import { stopOnSignal } from '../../server/src/start/stop-on-signal.ts'
import { withoutLimits } from '../../server/src/testing/without-limits.ts'

const config = readConfig(process.env)
const server = await startServer(config, {
  callLimitStore: withoutLimits(),
  async extend(_app, { db }) {
    process.on('SIGUSR2', () => void countWeeks(db, config.report, new Date()))
  },
})
stopOnSignal(server.stop)
