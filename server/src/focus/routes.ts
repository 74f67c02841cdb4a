import {
  correctSession as correctEndpoint,
  discardSession as discardEndpoint,
  keepSession as keepEndpoint,
  replaySwitches as replayEndpoint,
  readSessions as sessionsEndpoint,
  startFocus as startEndpoint,
  stopFocus as stopEndpoint,
} from '@deeb/core/focus/api'
import type { RouteDeps } from '../http/serve.ts'
import { correctSession } from './correct-session.ts'
import { discardSession } from './discard-session.ts'
import { keepSession } from './keep-session.ts'
import { readSessions } from './read-sessions.ts'
import { replaySwitches } from './replay-switches.ts'
import { startFocus } from './start-focus.ts'
import { stopFocus } from './stop-focus.ts'

export function focusRoutes({ serve, db, announce }: RouteDeps): void {
  serve(startEndpoint, async ({ actor, input, now }) => {
    const answer = await startFocus(db, actor, input, now)
    announce({ kind: 'presence', userId: actor.userId })
    return answer
  })
  serve(stopEndpoint, async ({ actor, input, now }) => {
    const answer = await stopFocus(db, actor, input, now)
    announce({ kind: 'presence', userId: actor.userId })
    return answer
  })
  serve(replayEndpoint, async ({ actor, input, now }) => {
    const answer = await replaySwitches(db, actor, input, now)
    announce({ kind: 'presence', userId: actor.userId })
    return answer
  })
  serve(sessionsEndpoint, ({ actor, now }) => readSessions(db, actor, now))
  serve(correctEndpoint, ({ actor, input, now }) => correctSession(db, actor, input, now))
  serve(discardEndpoint, ({ actor, input, now }) => discardSession(db, actor, input, now))
  serve(keepEndpoint, ({ actor, input }) => keepSession(db, actor, input))
}
