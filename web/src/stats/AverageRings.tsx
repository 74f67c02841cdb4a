import { AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { hoursAndMinutes, ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import { percentOf } from '@deeb/core/stats/status'
import { Ring } from '../ui/Ring.tsx'
import { RingTime } from '../ui/RingTime.tsx'

const EXAMPLES_NOTE = `Examples, not measured: an average user's week (${hoursAndMinutes(AVERAGE_USER_WEEK_MINUTES)}) and this week so far (${AVERAGE_USER_THIS_WEEK_MINUTES / 60}h).`

interface AverageRingsProps {
  /** The total of this week. */
  minutes: number
  /** The average of the earlier weeks. Null before there is one. */
  averageMinutes: number | null
}

/** Reference values on the left, this week compared with them on the right. */
export function AverageRings({ minutes, averageMinutes }: AverageRingsProps) {
  return (
    <>
      <div className="profile-rings">
        <Reference title="Your Average/Week" minutes={averageMinutes ?? 0} />
        <Compared
          title="This Week Total"
          note={`${percentText(minutes, averageMinutes)} of avg. week`}
          minutes={minutes}
          reference={averageMinutes}
        />
        <Reference title="Avg. User Week" minutes={AVERAGE_USER_WEEK_MINUTES} />
        <Compared
          title="Me Compared to Avg. User"
          note={`${percentText(minutes, AVERAGE_USER_THIS_WEEK_MINUTES)} of avg. user`}
          minutes={minutes}
          reference={AVERAGE_USER_THIS_WEEK_MINUTES}
        />
      </div>
      <p className="mt-3 text-note text-soft">{EXAMPLES_NOTE}</p>
    </>
  )
}

function Reference({ title, minutes }: { title: string; minutes: number }) {
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

/** Empty if there is nothing to compare with. */
function Compared(props: { title: string; note: string; minutes: number; reference: number | null }) {
  const { title, note, minutes, reference } = props
  const fill = reference === null ? { progress: 0, excess: 0 } : ringFill(minutes, reference)
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

/** `113%`, or `–%` if there is nothing to compare with. */
function percentText(minutes: number, reference: number | null): string {
  return `${(reference === null ? null : percentOf(minutes, reference)) ?? '–'}%`
}
