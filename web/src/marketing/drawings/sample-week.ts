import { weekdayLetter, weekdayName } from '@deeb/core/goals/weekday-names'
import { AVERAGE_USER_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { type RingFill, ringFill, ringTime } from '@deeb/core/stats/ring'
import { percentOf, statusText } from '@deeb/core/stats/status'
import { barLabel, sumOfDays, weeklyStatus } from '@deeb/core/stats/week-figures'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/site'
import * as statsTexts from '@deeb/texts/stats'
import type { WeekBar } from '../../ui/WeekBars.tsx'

const WORKDAY_GOAL_MINUTES = 8 * 60

/** The average of the earlier weeks, in minutes. */
const EARLIER_WEEKS_AVERAGE = 1335

/** Monday to Sunday. */
const DAYS = [
  { dayOfWeek: 1, minutes: 380, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { dayOfWeek: 2, minutes: 480, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { dayOfWeek: 3, minutes: 560, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { dayOfWeek: 4, minutes: 340, goalMinutes: WORKDAY_GOAL_MINUTES, today: true },
  { dayOfWeek: 5, minutes: 0, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { dayOfWeek: 6, minutes: 0, goalMinutes: 0, today: false },
  { dayOfWeek: 0, minutes: 0, goalMinutes: 0, today: false },
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
 * The sample week of the phone on the home page. Minutes and goals are invented, so that each percentage is that of the rounded hours
 * beside it. The app's own functions compute the other texts and numbers from them.
 */
export const SAMPLE_WEEK = {
  status: statusText(weeklyStatus(week.minutes, week.goalMinutes)),
  percent: commonTexts.percent({ percent: percentOfWeek(week.goalMinutes) }),
  bars: DAYS.map(
    (day): WeekBar => ({
      letter: weekdayLetter(day.dayOfWeek),
      label: barLabel(weekdayName(day.dayOfWeek), day),
      value: day.minutes,
      goal: day.goalMinutes,
      today: day.today,
    }),
  ),
  rings: [
    reference(texts.yourAverage(), EARLIER_WEEKS_AVERAGE),
    measured(texts.weekTotal(), EARLIER_WEEKS_AVERAGE, statsTexts.ofAverageWeek),
    reference(texts.userWeek(), AVERAGE_USER_WEEK_MINUTES),
    measured(texts.againstUser(), AVERAGE_USER_WEEK_MINUTES, statsTexts.ofAverageUser),
  ],
}

function reference(name: string, minutes: number): SampleRing {
  return { kind: 'reference', name, time: ringTime(minutes), progress: 1, excess: 0 }
}

function measured(name: string, against: number, noteOf: (inputs: { percent: number }) => string): SampleRing {
  const note = noteOf({ percent: percentOfWeek(against) })
  return { kind: 'small', name, note, time: ringTime(week.minutes), ...ringFill(week.minutes, against) }
}

/** The week as a whole percentage of `minutes`. */
function percentOfWeek(minutes: number): number {
  return percentOf(week.minutes, minutes) ?? 0
}
