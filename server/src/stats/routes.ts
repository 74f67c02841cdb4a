import { readHome as homeEndpoint, readWeek as weekEndpoint } from '@deeb/core/stats/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { readHome } from './read-home.ts'
import { readWeek } from './read-week.ts'

export function statsRoutes({ serve, db }: RouteDeps): void {
  serve(homeEndpoint, LIMITS.read.rule, ({ actor, input, now }) => readHome(db, actor, input, now))
  serve(weekEndpoint, LIMITS.read.rule, ({ actor, input, now }) => readWeek(db, actor, input, now))
}
