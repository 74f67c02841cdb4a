import { hoursAndMinutes } from '@deeb/core/stats/ring'
import { percentOf, statusText } from '@deeb/core/stats/status'
import { trackedSeconds, wholeMinutes } from '@deeb/core/stats/week'
import { type DayInMinutes, paleMinutes, sumOfDays, weeklyStatus } from '@deeb/core/stats/week-figures'
import { weekText } from '@deeb/core/stats/weeks'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/stats'
import { type ReactNode, useRef } from 'react'
import { LANGUAGE } from '../device/language.ts'
import type { Week } from '../focus/day-queries.ts'
import { useNow } from '../focus/use-now.ts'
import { ScreenHeading } from '../ui/ScreenHeading.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { AverageRings, FiguresToCome } from './AverageRings.tsx'
import { useUndisturbed } from './undisturbed-queries.ts'
import { useSwipe } from './use-swipe.ts'
import { useWeekSteps } from './use-week-steps.ts'
import { WeekChart } from './WeekChart.tsx'
import { WeekLine } from './WeekLine.tsx'
import { WeekNav } from './WeekNav.tsx'
import { useShownWeek } from './week-queries.ts'

interface WeekViewProps {
  current: Week
  /** Says how old the week is. */
  note: ReactNode
  /** Renders below the figures, with the Monday of the shown week and its days. They are undefined until they are loaded. */
  children: (monday: string, days: readonly DayInMinutes[] | undefined) => ReactNode
}

/** The current week or, by URL, an earlier one: saved time plus the open session. */
export function WeekView({ current, note, children }: WeekViewProps) {
  const { firstWeek, earlierWeeksMinutes, averageWeekMinutes, companyAverage, openSession } = current
  const thisWeek = current.week[0]?.date ?? ''
  const steps = useWeekSteps({ thisWeek, firstWeek })
  const isThisWeek = steps.earlierWeek === null
  const { data, failureReason, refetch } = useShownWeek(steps.earlierWeek)
  const undisturbed = useUndisturbed(steps.earlierWeek, current.version)
  const stretchMinutes = useUndisturbed(null, current.version)?.stretchMinutes
  const now = useNow(openSession !== null, { stepOf: (now) => sumOfDays(daysOf(current, now)).minutes })
  const panel = useRef<HTMLDivElement>(null)
  const swipe = useSwipe(panel, steps)

  const thisDays = daysOf(current, now)
  const { minutes: thisMinutes } = sumOfDays(thisDays)
  const days = isThisWeek ? thisDays : data && daysOf(data, now)
  const total = days && sumOfDays(days)
  const today = thisDays.find(({ isOver }) => !isOver) ?? thisDays.at(-1)
  const chartDays = days?.map((day, n) => ({
    ...day,
    isToday: day === today,
    paleMinutes: isThisWeek
      ? paleMinutes(day, { weekMinutes: thisMinutes, lastWeekMinutes: current.lastWeekMinutes[n] ?? 0 })
      : 0,
  }))
  const isBeforeFirstMinute = firstWeek === null && thisMinutes === 0

  return (
    <main className="profile column wide:frame" {...swipe}>
      <ScreenHeading className="sr-only">{commonTexts.profile()}</ScreenHeading>
      <div>
        {note}
        {firstWeek === null ? null : <WeekNav steps={steps} thisWeek={thisWeek} />}
        <div ref={panel}>
          {!total && failureReason ? (
            <NotLoaded onRetry={() => void refetch()} />
          ) : (
            <>
              {isThisWeek && total ? <WeekStatus {...total} /> : <WeekTotal total={total} />}
              <WeekChart label={weekText(steps.shown, thisWeek, LANGUAGE)} days={chartDays} />
            </>
          )}
        </div>
        {firstWeek === null && !undisturbed ? null : (
          <Legend isShown={chartDays?.some((day) => day.paleMinutes > 0)} undisturbed={undisturbed} />
        )}
        {isBeforeFirstMinute ? (
          <p className="days-to-come mt-4 text-body text-pretty text-soft">{texts.daysToCome()}</p>
        ) : null}
        <WeekLine
          minutes={[...earlierWeeksMinutes, thisMinutes]}
          stretchMinutes={stretchMinutes}
          thisWeek={thisWeek}
          shown={steps.shown}
          onSelect={steps.goTo}
        />
      </div>
      <div>
        {isBeforeFirstMinute ? (
          <FiguresToCome companyAverage={companyAverage} />
        ) : (
          <AverageRings
            minutes={total?.minutes ?? null}
            averageMinutes={averageWeekMinutes}
            companyAverage={companyAverage}
            isThisWeek={isThisWeek}
          />
        )}
        {children(steps.shown, days)}
      </div>
    </main>
  )
}

function daysOf({ week, openSession }: Week, now: Date) {
  return week.map((day) => ({
    minutes: wholeMinutes(trackedSeconds(day, openSession, now)),
    goalMinutes: day.goalMinutes,
    isOver: new Date(day.endsAt) <= now,
  }))
}

interface LegendProps {
  isShown: boolean | undefined
  undisturbed: ReturnType<typeof useUndisturbed>
}

/** Keeps its line, so that nothing below it moves from week to week. */
function Legend({ isShown, undisturbed }: LegendProps) {
  const { sessions: count = 0, withoutInterruption = 0 } = undisturbed ?? {}
  return (
    <div className="mt-1 mb-3 flex min-h-4.5 flex-wrap justify-between gap-x-4 text-note text-soft">
      {isShown ? (
        <p className="flex items-center gap-1.5">
          <span className="week-swatch" />
          <span>{texts.pale()}</span>
        </p>
      ) : null}
      {count > 0 ? <p className="ms-auto">{texts.undisturbed({ count, undisturbed: withoutInterruption })}</p> : null}
    </div>
  )
}

interface Total {
  minutes: number
  goalMinutes: number
}

function WeekStatus({ minutes, goalMinutes }: Total) {
  const status = weeklyStatus(minutes, goalMinutes)
  const percent = percentOf(minutes, goalMinutes)
  return (
    <StatusLine
      isGreen={status === 'over performer'}
      right={percent === null ? null : commonTexts.percent({ percent })}
    >
      {statusText(status)}
    </StatusLine>
  )
}

/** An earlier week has no status, which speaks of now. */
function WeekTotal({ total }: { total: Total | undefined }) {
  if (!total) return <StatusLine right={null}>{'\u00a0'}</StatusLine>
  const percent = percentOf(total.minutes, total.goalMinutes)
  const isGreen = weeklyStatus(total.minutes, total.goalMinutes) === 'over performer'
  return (
    <StatusLine isGreen={isGreen} right={percent === null ? null : texts.ofGoal({ percent })}>
      {hoursAndMinutes(total.minutes)}
    </StatusLine>
  )
}

function StatusLine(props: { isGreen?: boolean; right: string | null; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-status">
      <p className={props.isGreen ? 'text-green-text' : undefined}>{props.children}</p>
      {props.right === null ? null : <p className="font-450 text-soft">{props.right}</p>}
    </div>
  )
}

/** Replaces the chart, as high as it. */
function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="min-h-59.5 pt-1">
      <p className="text-body text-pretty">{texts.thisWeekFailed()}</p>
      <TextButton onClick={onRetry}>{commonTexts.tryAgain()}</TextButton>
    </div>
  )
}
