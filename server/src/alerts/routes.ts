import { readAlerts as readEndpoint, setAlert as setEndpoint } from '@deeb/core/alerts/api'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { circlesAt } from '../presence/who-sees.ts'
import { readAlerts } from './read-alerts.ts'
import { setAlert } from './set-alert.ts'

export function alertsRoutes({ serve, db, publish, circleSize }: RouteDeps): void {
  serve(readEndpoint, LIMITS.read, ({ actor, now }) => readAlerts(db, actor, now, circlesAt(circleSize, now)))
  serve(setEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const answer = await setAlert(db, actor, input, now, circlesAt(circleSize, now))
    // For the other devices of the actor. The colleague gets nothing.
    publish({ kind: 'alerts', id: actor.userId })
    return answer
  })
}
