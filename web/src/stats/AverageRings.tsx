import { AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { hoursAndMinutes, lengthText, ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import { percentOf } from '@deeb/core/stats/status'
import * as texts from '@deeb/texts/stats'
import type { Week } from '../focus/day-queries.ts'
import { Ring } from '../ui/Ring.tsx'
import { RingTime } from '../ui/RingTime.tsx'

/** The average of the company, where its report shows one. */
type CompanyAverage = Week['companyAverage']

/** The average user: of the company, else the examples. */
function averageUser(company: CompanyAverage) {
  if (!company)
    return {
      weekMinutes: AVERAGE_USER_WEEK_MINUTES,
      comparedMinutes: AVERAGE_USER_THIS_WEEK_MINUTES,
      note: texts.examples({
        week: lengthText(AVERAGE_USER_WEEK_MINUTES),
        thisWeek: lengthText(AVERAGE_USER_THIS_WEEK_MINUTES),
      }),
    }
  const { domain, minutes, margin } = company
  return {
    weekMinutes: minutes,
    comparedMinutes: minutes,
    note: texts.companyAverage({ domain, margin: lengthText(margin) }),
  }
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
 * Reference values first, next to them the shown week compared with them. An earlier week is compared only with the user's
 * own average: the average user is about the current weeks.
 */
export function AverageRings({ minutes, averageMinutes, companyAverage, isThisWeek }: AverageRingsProps) {
  const isFirst = averageMinutes === null
  const { weekMinutes, comparedMinutes, note } = averageUser(companyAverage)
  return (
    <>
      <div className="profile-rings">
        <Reference
          title={texts.yourAverage()}
          note={isFirst ? texts.afterFirstWeek() : undefined}
          minutes={averageMinutes ?? 0}
        />
        <Compared
          title={isThisWeek ? texts.thisWeekTotal() : texts.weekTotal()}
          note={isFirst ? texts.yourFirstWeek() : percentText(minutes, averageMinutes, texts.ofAverageWeek)}
          minutes={minutes}
          reference={averageMinutes}
        />
        {isThisWeek ? (
          <>
            <Reference title={texts.averageUserWeek()} minutes={weekMinutes} />
            <Compared
              title={texts.comparedToUser()}
              note={percentText(minutes, comparedMinutes, texts.ofAverageUser)}
              minutes={minutes}
              reference={comparedMinutes}
            />
          </>
        ) : null}
      </div>
      <p className="mt-3 text-note text-soft">{isThisWeek ? note : texts.goalsOfThatTime()}</p>
    </>
  )
}

/** The four figures in words, before the first minute: what will be in the rings. */
export function FiguresToCome({ companyAverage }: { companyAverage: CompanyAverage }) {
  const { weekMinutes, comparedMinutes, note } = averageUser(companyAverage)
  return (
    <>
      <dl className="mt-6 wide:mt-0">
        <ToCome title={texts.yourAverage()} text={texts.afterFirstWeek()} />
        <ToCome title={texts.thisWeekTotal()} text={hoursAndMinutes(0)} />
        <ToCome title={texts.averageUserWeek()} text={hoursAndMinutes(weekMinutes)} />
        <ToCome title={texts.comparedToUser()} text={percentText(0, comparedMinutes, texts.ofAverageUser)} />
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
        <Ring kind="small" {...fill} label={minutes === null ? texts.notLoaded() : spokenDuration(minutes)}>
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
function percentText(
  minutes: number | null,
  reference: number | null,
  text: (inputs: { percent: number }) => string,
): string {
  if (minutes === null || reference === null) return '\u00a0'
  return text({ percent: percentOf(minutes, reference) ?? 0 })
}
