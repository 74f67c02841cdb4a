import { AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES } from '@deeb/core/stats/averages'
import { hoursAndMinutes, type RingFill, ringFill, ringTime } from '@deeb/core/stats/ring'
import { percentOf } from '@deeb/core/stats/status'
import { sumOfDays } from '@deeb/core/stats/week-figures'
import * as texts from '@deeb/texts/site'
import { LANGUAGE } from '../../language.ts'
import type { WeekBar } from '../../ui/WeekBars.tsx'

const WORKDAY_GOAL_MINUTES = 8 * 60

/** The average of the earlier weeks, in minutes. */
const EARLIER_WEEKS_AVERAGE = 1375

/** Monday to Sunday. */
const DAYS = [
  { minutes: 380, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { minutes: 480, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { minutes: 560, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { minutes: 305, goalMinutes: WORKDAY_GOAL_MINUTES, today: true },
  { minutes: 0, goalMinutes: WORKDAY_GOAL_MINUTES, today: false },
  { minutes: 0, goalMinutes: 0, today: false },
  { minutes: 0, goalMinutes: 0, today: false },
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
 * The sample week of the phone on the home page. Minutes and goals are invented. The app's own functions compute all numbers from
 * them.
 */
export const SAMPLE_WEEK = {
  status: texts.onTrack(),
  percent: percentText(week.minutes, week.goalMinutes),
  bars: DAYS.map(
    (day, n): WeekBar => ({
      letter: dayName(n, 'narrow'),
      label: texts.barLabel({
        day: dayName(n, 'long'),
        minutes: hoursAndMinutes(day.minutes),
        goal: hoursAndMinutes(day.goalMinutes),
      }),
      value: day.minutes,
      goal: day.goalMinutes,
      today: day.today,
    }),
  ),
  rings: [
    reference(texts.yourAverage(), EARLIER_WEEKS_AVERAGE),
    measured(texts.weekTotal(), EARLIER_WEEKS_AVERAGE, texts.ofAverageWeek),
    reference(texts.userWeek(), AVERAGE_USER_WEEK_MINUTES),
    measured(texts.againstUser(), AVERAGE_USER_THIS_WEEK_MINUTES, texts.ofAverageUser),
  ],
}

function reference(name: string, minutes: number): SampleRing {
  return { kind: 'reference', name, time: ringTime(minutes), progress: 1, excess: 0 }
}

function measured(name: string, against: number, noteOf: (inputs: { percent: string }) => string): SampleRing {
  const note = noteOf({ percent: percentText(week.minutes, against) })
  return { kind: 'small', name, note, time: ringTime(week.minutes), ...ringFill(week.minutes, against) }
}

/** `72%` */
function percentText(minutes: number, of: number): string {
  return new Intl.NumberFormat(LANGUAGE, { style: 'percent' }).format((percentOf(minutes, of) ?? 0) / 100)
}

/** `Wednesday` or `W`, from the number of days after Monday. */
function dayName(day: number, weekday: 'long' | 'narrow'): string {
  return new Intl.DateTimeFormat(LANGUAGE, { weekday, timeZone: 'UTC' }).format(Date.UTC(2026, 0, 5 + day))
}
