import { readWeek as weekEndpoint } from '@deeb/core/stats/api'
import { readUndisturbed as undisturbedEndpoint } from '@deeb/core/stats/undisturbed-api'
import { readYear as yearEndpoint } from '@deeb/core/stats/year-api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { readUndisturbed } from './read-undisturbed.ts'
import { readWeek } from './read-week.ts'
import { readYear } from './read-year.ts'

export function statsRoutes({ serve, db, report }: RouteDeps): void {
  serve(weekEndpoint, LIMITS.read, ({ actor, input, now }) => readWeek(db, actor, input, report, now))
  serve(undisturbedEndpoint, LIMITS.read, ({ actor, input, now }) => readUndisturbed(db, actor, input, now))
  serve(yearEndpoint, LIMITS.read, ({ actor, input, now }) => readYear(db, actor, input, now))
}
