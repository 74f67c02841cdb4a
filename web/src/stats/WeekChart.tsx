import { WEEK_FROM_MONDAY } from '@deeb/core/goals/week-of-goals'
import { barLabel, type DayInMinutes } from '@deeb/core/stats/week-figures'
import { WeekBars } from '../ui/WeekBars.tsx'

interface WeekChartProps {
  /** Monday to Sunday. */
  days: (DayInMinutes & { date: string })[]
  todaysDate: string | undefined
}

/** A bar chart of the week, each day with its goal. */
export function WeekChart({ days, todaysDate }: WeekChartProps) {
  const bars = WEEK_FROM_MONDAY.map(({ name }, n) => {
    const { minutes, goalMinutes, date } = days[n] ?? { minutes: 0, goalMinutes: 0, date: '' }
    const label = barLabel(name, { minutes, goalMinutes })
    return { letter: name.charAt(0), label, value: minutes, goal: goalMinutes, today: date === todaysDate }
  })
  return <WeekBars label="This week" bars={bars} />
}
