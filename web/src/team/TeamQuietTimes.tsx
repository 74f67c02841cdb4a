import type { TeamCircle } from '@deeb/core/team/api'
import * as texts from '@deeb/texts/quiet'
import { timeText } from '../device/local-time.ts'
import { useNow } from '../focus/use-now.ts'

/** Above the team: which of these circles have a quiet time now, and until when. Nothing tells who takes part. */
export function TeamQuietTimes({ circles }: { circles: readonly TeamCircle[] }) {
  const current = (now: Date) =>
    circles.flatMap(({ id, name, quiet = [] }) => {
      const ends = quiet.filter(({ startsAt, endsAt }) => new Date(startsAt) <= now && now < new Date(endsAt))
      const [last] = ends
        .map(({ endsAt }) => endsAt)
        .sort()
        .reverse()
      return last ? [{ id, name, endsAt: last }] : []
    })
  const now = useNow(
    circles.some(({ quiet }) => quiet?.length),
    { stepOf: (now) => JSON.stringify(current(now)) },
  )
  return (
    <div role="status" className="mt-3 text-body empty:hidden">
      {current(now).map(({ id, name, endsAt }) => (
        <p key={id} className="text-pretty wrap-anywhere">
          {texts.until({ circle: name, time: timeText(new Date(endsAt)) })}
        </p>
      ))}
    </div>
  )
}
