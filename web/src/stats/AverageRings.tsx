import { AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import { percentOf } from '@deeb/core/stats/status'
import { Ring } from '../ui/Ring.tsx'
import { RingTime } from '../ui/RingTime.tsx'

interface AverageRingsProps {
  /** Of this week. */
  minutes: number
  /** Of one's earlier weeks; null before there is one. */
  averageMinutes: number | null
}

/** Scales on the left, this week measured against them on the right. */
export function AverageRings({ minutes, averageMinutes }: AverageRingsProps) {
  return (
    <>
      <div className="profile-rings">
        <Scale title="Your Average/Week" minutes={averageMinutes ?? 0} />
        <Measured
          title="This Week Total"
          note={`${percentText(minutes, averageMinutes)} of avg. week`}
          minutes={minutes}
          against={averageMinutes}
        />
        <Scale title="Avg. User Week" minutes={AVERAGE_USER_WEEK_MINUTES} />
        <Measured
          title="Me Compared to Avg. User"
          note={`${percentText(minutes, AVERAGE_USER_THIS_WEEK_MINUTES)} of avg. user`}
          minutes={minutes}
          against={AVERAGE_USER_THIS_WEEK_MINUTES}
        />
      </div>
      <p className="mt-3 text-note text-soft">"Avg. user" is an example, not a measured value.</p>
    </>
  )
}

function Scale({ title, minutes }: { title: string; minutes: number }) {
  return (
    <figure className="profile-ring">
      <div className="w-28">
        <Ring kind="reference" progress={minutes > 0 ? 1 : 0} label={spokenDuration(minutes)}>
          <RingTime {...ringTime(minutes)} />
        </Ring>
      </div>
      <figcaption className="mt-2 text-label">{title}</figcaption>
    </figure>
  )
}

/** Empty while there is nothing to measure against. */
function Measured(props: { title: string; note: string; minutes: number; against: number | null }) {
  const { title, note, minutes, against } = props
  const fill = against === null ? { progress: 0, excess: 0 } : ringFill(minutes, against)
  return (
    <figure className="profile-ring">
      <div className="w-28">
        <Ring kind="small" {...fill} label={spokenDuration(minutes)}>
          <RingTime {...ringTime(minutes)} />
        </Ring>
      </div>
      <figcaption className="mt-2 text-label">
        {title}
        <span className="block font-400 text-soft">{note}</span>
      </figcaption>
    </figure>
  )
}

/** `113%`, or `–%` while there is nothing to measure against. */
function percentText(minutes: number, against: number | null): string {
  return `${(against === null ? null : percentOf(minutes, against)) ?? '–'}%`
}
