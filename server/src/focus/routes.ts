import {
  replaySwitches as replayEndpoint,
  setTarget as setTargetEndpoint,
  startFocus as startEndpoint,
  stopFocus as stopEndpoint,
} from '@deeb/core/focus/api'
import { readFocus as readEndpoint, switchFocus as switchEndpoint } from '@deeb/core/focus/program-api'
import type { RouteDeps } from '../http/serve.ts'
import { serveChangeOn } from '../http/serve-change.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { readFocus } from './read-focus.ts'
import { replaySwitches } from './replay-switches.ts'
import { setTarget } from './set-target.ts'
import { startFocus } from './start-focus.ts'
import { stopFocus } from './stop-focus.ts'
import { switchFocus } from './switch-focus.ts'

export function focusRoutes({ serve, db, publish }: RouteDeps): void {
  const serveChange = serveChangeOn({ serve, publish })
  serve(readEndpoint, LIMITS.read, ({ actor, now }) => readFocus(db, actor, now))
  serve(switchEndpoint, LIMITS.write, async ({ actor, input, now }) => {
    const { state, isChanged } = await switchFocus(db, actor, input, now)
    // A key may be pressed each minute.
    if (isChanged) publish({ kind: 'presence', id: actor.userId })
    return state
  })
  serveChange(startEndpoint, LIMITS.write, ({ actor, input, now }) => startFocus(db, actor, input, now))
  serveChange(stopEndpoint, LIMITS.write, ({ actor, input, now }) => stopFocus(db, actor, input, now))
  serve(replayEndpoint, LIMITS.replay, async ({ actor, input, now }) => {
    const answer = await replaySwitches(db, actor, input, now)
    // Interruptions reach other devices of the user only.
    const hasSwitch = input.changes.some(({ to }) => to === 'on' || to === 'off')
    publish({ kind: hasSwitch ? 'presence' : 'history', id: actor.userId })
    return answer
  })
  serveChange(setTargetEndpoint, LIMITS.write, ({ actor, input, now }) => setTarget(db, actor, input, now))
}
