import { readHome as homeEndpoint } from '@deeb/core/stats/api'
import type { RouteDeps } from '../http/serve.ts'
import { readHome } from './read-home.ts'

export function statsRoutes({ serve, db }: RouteDeps): void {
  serve(homeEndpoint, ({ actor, input, now }) => readHome(db, actor, input, now))
}
