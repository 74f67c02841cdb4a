import { startFocus as startEndpoint, stopFocus as stopEndpoint } from '@deeb/core/focus/api'
import type { RouteDeps } from '../http/serve.ts'
import { startFocus } from './start-focus.ts'
import { stopFocus } from './stop-focus.ts'

export function focusRoutes({ serve, db }: RouteDeps): void {
  serve(startEndpoint, ({ actor, input, now }) => startFocus(db, actor, input, now))
  serve(stopEndpoint, ({ actor, input, now }) => stopFocus(db, actor, input, now))
}
