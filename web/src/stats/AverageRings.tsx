import { AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { hoursAndMinutes, lengthText, ringFill, ringTime, spokenDuration } from '@deeb/core/stats/ring'
import { percentOf } from '@deeb/core/stats/status'
import * as texts from '@deeb/texts/stats'
import { type ReactNode, useState } from 'react'
import type { Week } from '../focus/day-queries.ts'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Ring } from '../ui/Ring.tsx'
import { RingTime } from '../ui/RingTime.tsx'

/** The average of the company, where its report shows one. */
type CompanyAverage = Week['companyAverage']

/** The average user: of the company, else the examples. */
function averageUser(company: CompanyAverage) {
  if (!company) {
    return { weekMinutes: AVERAGE_USER_WEEK_MINUTES, comparedMinutes: AVERAGE_USER_THIS_WEEK_MINUTES }
  }
  return { weekMinutes: company.minutes, comparedMinutes: company.minutes }
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
  const { weekMinutes, comparedMinutes } = averageUser(companyAverage)
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
      </div>
      {isThisWeek ? (
        <AverageUser company={companyAverage}>
          <div className="profile-rings mt-4">
            <Reference title={texts.averageUserWeek()} minutes={weekMinutes} />
            <Compared
              title={texts.comparedToUser()}
              note={percentText(minutes, comparedMinutes, texts.ofAverageUser)}
              minutes={minutes}
              reference={comparedMinutes}
            />
          </div>
        </AverageUser>
      ) : (
        <Note>{texts.goalsOfThatTime()}</Note>
      )}
    </>
  )
}

/** The four figures in words, before the first minute: what will be in the rings. */
export function FiguresToCome({ companyAverage }: { companyAverage: CompanyAverage }) {
  const { weekMinutes, comparedMinutes } = averageUser(companyAverage)
  return (
    <>
      <dl className="mt-6 wide:mt-0">
        <ToCome title={texts.yourAverage()} text={texts.afterFirstWeek()} />
        <ToCome title={texts.thisWeekTotal()} text={hoursAndMinutes(0)} />
      </dl>
      <AverageUser company={companyAverage}>
        <dl>
          <ToCome title={texts.averageUserWeek()} text={hoursAndMinutes(weekMinutes)} />
          <ToCome title={texts.comparedToUser()} text={percentText(0, comparedMinutes, texts.ofAverageUser)} />
        </dl>
      </AverageUser>
    </>
  )
}

/** The figures of the average user, and what they are. Folded while they are examples. */
function AverageUser({ company, children }: { company: CompanyAverage; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  if (company) {
    const { domain, margin } = company
    return (
      <>
        {children}
        <Note>{texts.companyAverage({ domain, margin: lengthText(margin) })}</Note>
      </>
    )
  }
  const week = lengthText(AVERAGE_USER_WEEK_MINUTES)
  const thisWeek = lengthText(AVERAGE_USER_THIS_WEEK_MINUTES)
  return (
    <ul className="mt-3">
      <Disclosure
        label={
          <>
            <span>{texts.averageUserWeek()}</span>{' '}
            <span className="block font-400 text-soft">{texts.comparedToUser()}</span>
          </>
        }
        value=""
        open={isOpen}
        onToggle={() => setIsOpen(!isOpen)}
      >
        {children}
        <Note>{texts.examples({ week, thisWeek })}</Note>
      </Disclosure>
    </ul>
  )
}

function Note({ children }: { children: string }) {
  return <p className="mt-3 text-note text-soft">{children}</p>
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
