import {
  correctSession as correctEndpoint,
  discardSession as discardEndpoint,
  keepSession as keepEndpoint,
  readSessions as readEndpoint,
} from '@deeb/core/sessions/api'
import type { RouteDeps } from '../http/serve.ts'
import { serveChangeOn } from '../http/serve-change.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { correctSession } from './correct-session.ts'
import { discardSession } from './discard-session.ts'
import { keepSession } from './keep-session.ts'
import { readSessions } from './read-sessions.ts'

export function sessionsRoutes({ serve, db, publish }: RouteDeps): void {
  const serveChange = serveChangeOn({ serve, publish })
  serve(readEndpoint, LIMITS.read.rule, ({ actor, now }) => readSessions(db, actor, now))
  serveChange(correctEndpoint, LIMITS.write.rule, ({ actor, input, now }) => correctSession(db, actor, input, now))
  serveChange(discardEndpoint, LIMITS.write.rule, ({ actor, input, now }) => discardSession(db, actor, input, now))
  serveChange(keepEndpoint, LIMITS.write.rule, ({ actor, input }) => keepSession(db, actor, input))
}
