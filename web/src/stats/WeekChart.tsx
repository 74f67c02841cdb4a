import '../ui/bars.css'
import { WEEK_FROM_MONDAY } from '@deeb/core/goals/week-of-goals'
import { weekdayLetter, weekdayName } from '@deeb/core/goals/weekday-names'
import { barLabel, type DayInMinutes } from '@deeb/core/stats/week-figures'
import * as commonTexts from '@deeb/texts/common'
import { WeekBars } from '../ui/WeekBars.tsx'

export interface ChartDay extends DayInMinutes {
  isToday: boolean
  /** The same day of last week, drawn pale. 0 for none. */
  paleMinutes: number
}

/** Until the days of a week are loaded: a flat line. */
const NO_DAY: ChartDay = { minutes: 0, goalMinutes: 0, isToday: false, paleMinutes: 0 }

interface WeekChartProps {
  label: string
  /** Monday to Sunday. Undefined until they are loaded. */
  days: ChartDay[] | undefined
}

/** A bar chart of a week, each day with its goal. Bars of another week grow from those before. */
export function WeekChart({ label, days }: WeekChartProps) {
  const bars = WEEK_FROM_MONDAY.map((dayOfWeek, n) => {
    const day = days?.[n] ?? NO_DAY
    return {
      letter: weekdayLetter(dayOfWeek),
      label: barLabel(weekdayName(dayOfWeek), day, day.paleMinutes),
      value: day.minutes,
      goal: day.goalMinutes,
      pale: day.paleMinutes,
      today: day.isToday,
    }
  })
  return (
    <>
      <span className="sr-only" role="status">
        {days ? null : commonTexts.loading()}
      </span>
      <div inert={!days}>
        <WeekBars label={label} bars={bars} />
      </div>
    </>
  )
}
