import { AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { hoursAndMinutes, ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import { percentOf } from '@deeb/core/stats/status'
import { Ring } from '../ui/Ring.tsx'
import { RingTime } from '../ui/RingTime.tsx'
import type { Week } from './stats-queries.ts'

const EXAMPLES_NOTE = `Examples, not measured: an average user's week (${hoursAndMinutes(AVERAGE_USER_WEEK_MINUTES)}) and this week so far (${AVERAGE_USER_THIS_WEEK_MINUTES / 60}h).`

/** The average of the company, where its report shows one. */
type CompanyAverage = Week['companyAverage']

/** The average user: of the company, else the examples. */
function averageUser(company: CompanyAverage) {
  if (!company)
    return {
      weekMinutes: AVERAGE_USER_WEEK_MINUTES,
      comparedMinutes: AVERAGE_USER_THIS_WEEK_MINUTES,
      note: EXAMPLES_NOTE,
    }
  const { domain, minutes, margin } = company
  const note = `Average week of people at ${domain}, give or take ${margin} min.`
  return { weekMinutes: minutes, comparedMinutes: minutes, note }
}

interface AverageRingsProps {
  /** The total of the shown week. Null until it is loaded. */
  minutes: number | null
  /** The average of the weeks before the current one. Null before there is one. */
  averageMinutes: number | null
  companyAverage: CompanyAverage
  isThisWeek: boolean
}

/**
 * Reference values on the left, the shown week compared with them on the right. An earlier week is compared only with the user's
 * own average: the average user is about the current weeks.
 */
export function AverageRings({ minutes, averageMinutes, companyAverage, isThisWeek }: AverageRingsProps) {
  const isFirst = averageMinutes === null
  const { weekMinutes, comparedMinutes, note } = averageUser(companyAverage)
  return (
    <>
      <div className="profile-rings">
        <Reference
          title="Your Average/Week"
          note={isFirst ? 'after your first week' : undefined}
          minutes={averageMinutes ?? 0}
        />
        <Compared
          title={isThisWeek ? 'This Week Total' : 'Week Total'}
          note={isFirst ? 'your first week' : percentText(minutes, averageMinutes, 'avg. week')}
          minutes={minutes}
          reference={averageMinutes}
        />
        {isThisWeek ? (
          <>
            <Reference title="Avg. User Week" minutes={weekMinutes} />
            <Compared
              title="Me Compared to Avg. User"
              note={percentText(minutes, comparedMinutes, 'avg. user')}
              minutes={minutes}
              reference={comparedMinutes}
            />
          </>
        ) : null}
      </div>
      <p className="mt-3 text-note text-soft">{isThisWeek ? note : 'Each day is shown with the goal of that time.'}</p>
    </>
  )
}

/** The four figures in words, before the first minute: what will be in the rings. */
export function FiguresToCome({ companyAverage }: { companyAverage: CompanyAverage }) {
  const { weekMinutes, comparedMinutes, note } = averageUser(companyAverage)
  return (
    <>
      <dl className="mt-6 wide:mt-0">
        <ToCome title="Your Average/Week" text="after your first week" />
        <ToCome title="This Week Total" text={hoursAndMinutes(0)} />
        <ToCome title="Avg. User Week" text={hoursAndMinutes(weekMinutes)} />
        <ToCome title="Me Compared to Avg. User" text={percentText(0, comparedMinutes, 'avg. user')} />
      </dl>
      <p className="mt-3 text-note text-soft">{note}</p>
    </>
  )
}

function ToCome({ title, text }: { title: string; text: string }) {
  return (
    <div className="flex min-h-13 flex-wrap items-center justify-between gap-x-4 border-b border-line py-2 first:border-t">
      <dt className="text-body">{title}</dt>
      <dd className="text-body text-soft">{text}</dd>
    </div>
  )
}

function Reference({ title, note, minutes }: { title: string; note?: string | undefined; minutes: number }) {
  return (
    <figure className="profile-ring">
      <div>
        <Ring kind="reference" progress={minutes > 0 ? 1 : 0} label={spokenDuration(minutes)}>
          <RingTime {...ringTime(minutes)} />
        </Ring>
      </div>
      <Caption title={title} note={note} />
    </figure>
  )
}

/** Empty if there is nothing to compare with. */
function Compared(props: { title: string; note: string; minutes: number | null; reference: number | null }) {
  const { title, note, minutes, reference } = props
  const fill = reference === null || minutes === null ? { progress: 0, excess: 0 } : ringFill(minutes, reference)
  return (
    <figure className="profile-ring">
      <div>
        <Ring kind="small" {...fill} label={minutes === null ? 'Not loaded' : spokenDuration(minutes)}>
          {minutes === null ? null : <RingTime {...ringTime(minutes)} />}
        </Ring>
      </div>
      <Caption title={title} note={note} />
    </figure>
  )
}

function Caption({ title, note }: { title: string; note: string | undefined }) {
  return (
    <figcaption className="mt-2 text-label">
      {title}
      <span className="block font-400 text-soft">{note}</span>
    </figcaption>
  )
}

/** `113% of avg. week`. A no-break space, which keeps the line, until the minutes are loaded. */
function percentText(minutes: number | null, reference: number | null, of: string): string {
  if (minutes === null || reference === null) return '\u00a0'
  return `${percentOf(minutes, reference)}% of ${of}`
}
