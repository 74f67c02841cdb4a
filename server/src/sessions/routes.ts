import {
  addSession as addEndpoint,
  correctSession as correctEndpoint,
  discardSession as discardEndpoint,
  keepSession as keepEndpoint,
  readLikelyEnd as readLikelyEndEndpoint,
  restoreSession as restoreEndpoint,
  touchSession as touchEndpoint,
} from '@deeb/core/sessions/api'
import { readSessions as readEndpoint } from '@deeb/core/sessions/read-api'
import type { RouteDeps } from '../http/serve.ts'
import { serveChangeOn } from '../http/serve-change.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { addSession } from './add-session.ts'
import { correctSession } from './correct-session.ts'
import { discardSession } from './discard-session.ts'
import { keepSession } from './keep-session.ts'
import { readLikelyEnd } from './read-likely-end.ts'
import { readSessions } from './read-sessions.ts'
import { restoreSession } from './restore-session.ts'
import { touchSession } from './touch-session.ts'

export function sessionsRoutes({ serve, db, publish }: RouteDeps): void {
  const serveChange = serveChangeOn({ serve, publish }, 'history')
  serve(readEndpoint, LIMITS.read, ({ actor, now }) => readSessions(db, actor, now))
  serveChange(addEndpoint, LIMITS.write, ({ actor, input, now }) => addSession(db, actor, input, now))
  serveChange(correctEndpoint, LIMITS.write, ({ actor, input, now }) => correctSession(db, actor, input, now))
  serveChange(discardEndpoint, LIMITS.write, ({ actor, input, now }) => discardSession(db, actor, input, now))
  serveChange(restoreEndpoint, LIMITS.write, ({ actor, input, now }) => restoreSession(db, actor, input, now))
  serveChange(keepEndpoint, LIMITS.write, ({ actor, input }) => keepSession(db, actor, input))
  serve(readLikelyEndEndpoint, LIMITS.read, ({ actor, input }) => readLikelyEnd(db, actor, input))
  serve(touchEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const answer = await touchSession(db, actor, input, now)
    if (input.answers.length > 0) publish({ kind: 'still-on', id: actor.userId })
    return answer
  })
}
