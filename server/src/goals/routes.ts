import { saveGoals as saveEndpoint } from '@deeb/core/goals/api'
import type { RouteDeps } from '../http/serve.ts'
import { saveGoals } from './save-goals.ts'

export function goalsRoutes({ serve, db }: RouteDeps): void {
  serve(saveEndpoint, ({ actor, input, now }) => saveGoals(db, actor, input, now))
}
