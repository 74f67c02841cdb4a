import { targetEnd } from '@deeb/core/focus/target'
import * as texts from '@deeb/texts/home'
import { useEffect, useState } from 'react'
import { useKnownSession } from '../focus/day-queries.ts'
import { useNow } from '../focus/use-now.ts'
import { triggerEndSignals } from './end-signals.ts'

/** The longest delay of a signal: later, as when a laptop wakes up, it would only surprise. */
const MAX_LATE_MS = 5 * 60_000

/** Triggers the signals that are on when the target of the open session is reached, on whichever screen. */
export function EndSignal() {
  const session = useKnownSession()
  const end = session ? targetEnd(session) : null
  if (session?.targetMinutes === undefined || !end) return null
  const key = `${session.id} ${session.targetMinutes}`
  return <Watch key={key} id={key} end={end} title={texts.reached({ count: session.targetMinutes })} />
}

/** A page that opens after the end gives no signal. */
function Watch({ id, end, title }: { id: string; end: Date; title: string }) {
  const now = useNow(true, { inBackground: true })
  const isAhead = now < end
  const [wasAhead] = useState(isAhead)
  const isDue = wasAhead && !isAhead && now.getTime() - end.getTime() <= MAX_LATE_MS
  useEffect(() => {
    if (isDue) void triggerEndSignals(id, title)
  }, [isDue, id, title])
  return null
}
