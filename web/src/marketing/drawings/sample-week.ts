import { AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { type RingFill, ringFill, ringTime } from '@deeb/core/stats/ring'
import { percentOf } from '@deeb/core/stats/status'
import { barLabel, sumOfDays, weeklyStatus } from '@deeb/core/stats/week-figures'
import type { WeekBar } from '../../ui/WeekBars.tsx'

const WORKDAY_GOAL_MINUTES = 8 * 60

/** The average of the earlier weeks, in minutes. */
const EARLIER_WEEKS_AVERAGE = 1375

const DAYS = [
  { name: 'Monday', minutes: 380, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { name: 'Tuesday', minutes: 480, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { name: 'Wednesday', minutes: 560, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { name: 'Thursday', minutes: 305, goalMinutes: WORKDAY_GOAL_MINUTES, today: true },
  { name: 'Friday', minutes: 0, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { name: 'Saturday', minutes: 0, goalMinutes: 0, today: false },
  { name: 'Sunday', minutes: 0, goalMinutes: 0, today: false },
]

/** A ring of the phone, with the texts in it and below it. */
export interface SampleRing extends RingFill {
  kind: 'small' | 'reference'
  time: { hours: number; minutes: number | null }
  name: string
  note?: string
}

const week = sumOfDays(DAYS)

/**
 * The sample week of the phone on the home page. Minutes and goals are invented. The app's own functions compute all texts and
 * numbers from them.
 */
export const SAMPLE_WEEK = {
  status: weeklyStatus(week.minutes, week.goalMinutes),
  percent: `${percentOf(week.minutes, week.goalMinutes)}%`,
  bars: DAYS.map(
    (day): WeekBar => ({
      letter: day.name.charAt(0),
      label: barLabel(day.name, day),
      value: day.minutes,
      goal: day.goalMinutes,
      today: day.today,
    }),
  ),
  rings: [
    reference('your average/week', EARLIER_WEEKS_AVERAGE),
    measured('this week total', EARLIER_WEEKS_AVERAGE, 'avg. week'),
    reference('avg user week', AVERAGE_USER_WEEK_MINUTES),
    measured('me vs avg user', AVERAGE_USER_THIS_WEEK_MINUTES, 'avg. user'),
  ],
}

function reference(name: string, minutes: number): SampleRing {
  return { kind: 'reference', name, time: ringTime(minutes), progress: 1, excess: 0 }
}

function measured(name: string, against: number, what: string): SampleRing {
  const note = `${percentOf(week.minutes, against)}% of ${what}`
  return { kind: 'small', name, note, time: ringTime(week.minutes), ...ringFill(week.minutes, against) }
}
