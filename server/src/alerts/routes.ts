import { readAlerts as readEndpoint, setAlert as setEndpoint } from '@deeb/core/alerts/api'
import {
  allowKnocks as allowEndpoint,
  answerKnock as answerEndpoint,
  knock as knockEndpoint,
  seeAnswer as seeEndpoint,
} from '@deeb/core/alerts/knock-api'
import type { Keys } from '../config/keys.ts'
import type { RouteDeps } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { circlesAt } from '../presence/who-sees.ts'
import { allowKnocks } from './allow-knocks.ts'
import { answerKnock, seeAnswer } from './answer-knock.ts'
import { knock } from './knock.ts'
import { readAlerts } from './read-alerts.ts'
import { setAlert } from './set-alert.ts'

export function alertsRoutes({ serve, db, publish, circleSize, keys }: RouteDeps & { keys: Keys }): void {
  /** For the devices of these people. */
  const publishAlerts = (...userIds: string[]) => {
    for (const id of userIds) publish({ kind: 'alerts', id })
  }
  serve(readEndpoint, LIMITS.read, ({ actor, now }) => readAlerts(db, actor, now, circlesAt(circleSize, now)))
  serve(setEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const answer = await setAlert(db, actor, input, now, circlesAt(circleSize, now))
    // The colleague gets nothing.
    publishAlerts(actor.userId)
    return answer
  })
  serve(allowEndpoint, LIMITS.write, async ({ actor, input }) => {
    const answer = await allowKnocks(db, actor, input)
    // Those who are allowed see it when they next look.
    publishAlerts(actor.userId)
    return answer
  })
  serve(knockEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const answer = await knock(db, keys, actor, input, now, circlesAt(circleSize, now))
    if (answer.isNew) {
      publishAlerts(actor.userId, input.userId)
      // The interruption.
      publish({ kind: 'history', id: input.userId })
    }
    return answer
  })
  serve(answerEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const answer = await answerKnock(db, actor, input, now, circlesAt(circleSize, now))
    if (answer.isNew) publishAlerts(actor.userId, input.userId)
    return answer
  })
  serve(seeEndpoint, LIMITS.write, async ({ actor, input }) => {
    const answer = await seeAnswer(db, actor, input)
    publishAlerts(actor.userId)
    return answer
  })
}
