import {
  correctSession as correctEndpoint,
  discardSession as discardEndpoint,
  keepSession as keepEndpoint,
  replaySwitches as replayEndpoint,
  readSessions as sessionsEndpoint,
  startFocus as startEndpoint,
  stopFocus as stopEndpoint,
} from '@deeb/core/focus/api'
import type { RouteDeps, Serve } from '../http/serve.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { correctSession } from './correct-session.ts'
import { discardSession } from './discard-session.ts'
import { keepSession } from './keep-session.ts'
import { readSessions } from './read-sessions.ts'
import { replaySwitches } from './replay-switches.ts'
import { startFocus } from './start-focus.ts'
import { stopFocus } from './stop-focus.ts'

export function focusRoutes({ serve, db, announce }: RouteDeps): void {
  /** What changes the actor's deeb mode, or what their days add up to: their other devices hear of either. */
  const serveChange: Serve = (endpoint, limit, change) =>
    serve(endpoint, limit, async (call) => {
      const answer = await change(call)
      announce({ kind: 'presence', userId: call.actor.userId })
      return answer
    })

  serveChange(startEndpoint, LIMITS.write.rule, ({ actor, input, now }) => startFocus(db, actor, input, now))
  serveChange(stopEndpoint, LIMITS.write.rule, ({ actor, input, now }) => stopFocus(db, actor, input, now))
  serveChange(replayEndpoint, LIMITS.replay.rule, ({ actor, input, now }) => replaySwitches(db, actor, input, now))
  serve(sessionsEndpoint, LIMITS.read.rule, ({ actor, now }) => readSessions(db, actor, now))
  serveChange(correctEndpoint, LIMITS.write.rule, ({ actor, input, now }) => correctSession(db, actor, input, now))
  serveChange(discardEndpoint, LIMITS.write.rule, ({ actor, input, now }) => discardSession(db, actor, input, now))
  serveChange(keepEndpoint, LIMITS.write.rule, ({ actor, input }) => keepSession(db, actor, input))
}
