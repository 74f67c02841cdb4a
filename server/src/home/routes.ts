import { readHome as homeEndpoint } from '@deeb/core/home/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { readHome } from './read-home.ts'

export function homeRoutes({ serve, db, report, circleSize }: RouteDeps): void {
  serve(homeEndpoint, LIMITS.read, ({ actor, input, now }) => readHome(db, actor, input, { report, circleSize }, now))
}
