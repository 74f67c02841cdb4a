import * as texts from '@deeb/texts/team'
import { serverNow } from '../calls/server-clock.ts'
import { dayText } from '../device/local-date.ts'
import { timeText } from '../device/local-time.ts'
import { useNow } from '../focus/use-now.ts'

/** `today, 14:05`, `tomorrow, 14:05` or `Monday, 15 June, 14:05`, in the device's time zone. */
export function whenText(instant: string): string {
  const at = new Date(instant)
  const now = serverNow()
  const tomorrow = new Date(now)
  tomorrow.setDate(tomorrow.getDate() + 1)
  const day = dayText(at)
  const time = timeText(at)
  if (day === dayText(now)) return texts.todayAt({ time })
  return day === dayText(tomorrow) ? texts.tomorrowAt({ time }) : texts.dayAt({ day, time })
}

/** The measured clock of the server may differ from it by this much. */
const NOW_MS = 10_000

/** Whether people in a circle see each other only later. */
export function isLater(visibleFrom: string): boolean {
  return Date.parse(visibleFrom) > serverNow().getTime() + NOW_MS
}

/** isLater() for a component, which renders again while it is true: also `tomorrow` becomes `today`. */
export function useIsLater(visibleFrom: string): boolean {
  const isWaiting = isLater(visibleFrom)
  useNow(isWaiting)
  return isWaiting
}
