import { saveGoals as saveEndpoint } from '@deeb/core/goals/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { saveGoals } from './save-goals.ts'

export function goalsRoutes({ serve, db }: RouteDeps): void {
  serve(saveEndpoint, LIMITS.write, ({ actor, input, now }) => saveGoals(db, actor, input, now))
}
