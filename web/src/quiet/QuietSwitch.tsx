import * as texts from '@deeb/texts/quiet'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { serverNow } from '../calls/server-clock.ts'
import { timeText } from '../device/local-time.ts'
import { onTouch } from '../device/on-touch.ts'
import { useHome } from '../focus/day-queries.ts'
import { useNow } from '../focus/use-now.ts'
import { pressSwitch, useSwitchFocus } from '../focus/use-switch-focus.ts'
import { showToast } from '../ui/toast.ts'
import { quietNow, targetUntil } from './quiet-now.ts'

/** Somebody who has touched this page so recently is at work. */
const TOUCHED_WITHIN_MS = 10 * 60_000
/** A page in the background is called once a minute. One that slept through the start leaves the switch to its user. */
const LATE_MS = 2 * 60_000

/**
 * Switches deeb mode on at the start of a quiet time, if its user has chosen that and has just touched this page. Every device opens the
 * same session, so it is opened once, and stays ended once it was. When a device was touched never leaves it.
 */
export default function QuietSwitch({ userId }: { userId: string }) {
  const { data: home } = useHome()
  const { isOn } = useSwitchFocus(home)
  const queryClient = useQueryClient()
  const touchedMs = useRef(0)
  const beginning = (now: Date) =>
    quietNow(
      home?.quiet?.filter(
        ({ switchOnId, startsAt }) => switchOnId !== null && now.getTime() - Date.parse(startsAt) <= LATE_MS,
      ),
      now,
    )
  const now = useNow(true, { inBackground: true, stepOf: (now) => beginning(now)?.switchOnId ?? '' })
  const quiet = beginning(now)

  useEffect(
    () =>
      onTouch(() => {
        touchedMs.current = serverNow().getTime()
      }),
    [],
  )

  const begin = useEffectEvent((sessionId: string) => {
    const nowMs = serverNow().getTime()
    if (!quiet || isOn !== false) return
    if (nowMs - touchedMs.current > TOUCHED_WITHIN_MS) return
    pressSwitch(queryClient, userId, 'on', { sessionId, ...targetUntil(quiet, serverNow()) })
    showToast({ title: texts.until({ circle: quiet.circle, time: timeText(new Date(quiet.endsAt)) }), tone: 'note' })
  })
  const sessionId = quiet?.switchOnId
  useEffect(() => {
    if (sessionId) begin(sessionId)
  }, [sessionId])
  return null
}
