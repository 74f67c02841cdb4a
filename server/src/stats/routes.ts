import { readWeek as weekEndpoint } from '@deeb/core/stats/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { readWeek } from './read-week.ts'

export function statsRoutes({ serve, db, report }: RouteDeps): void {
  serve(weekEndpoint, LIMITS.read, ({ actor, input, now }) => readWeek(db, actor, input, report, now))
}
