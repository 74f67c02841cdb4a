/*
 * The figures of a company's report, from its counted weeks. Every number that decides what is shown already has noise: a gate on the
 * true numbers would tell what they are.
 */
import { dateAfter } from '../focus/split-by-day.ts'
import type { Report } from './api.ts'

/** Fewer confirmed accounts have no report. */
export const MIN_MEMBERS = 10

/** The range of REPORT_BLUR. */
export const BLUR = { from: 4, to: 50 }

/** A person's week counts up to this. */
export const MAX_MINUTES = 1800

/** The sum of what a person adds to the bars of one chart. */
export const WHOLE = 1000

/** The mean size of the noise of a number, for each person of blur. */
export const NOISE = { people: 1, minutes: 600, goals: 1, bars: WHOLE } as const

/** Weeks from which the figures are made: the last ones, and more where these are too uncertain. */
const [FEW_WEEKS, MANY_WEEKS] = [4, 13]

/** The most weeks that `reportOf` reads: its line has 13 points, each a mean of 4 weeks. */
export const WEEKS_READ = MANY_WEEKS + FEW_WEEKS - 1

/** Nine tenths of a normal distribution are within this many standard deviations. */
const NINE_TENTHS = 1.645

/** At most so large is the margin: of any figure, of the average week of 4 weeks, of the share of goals, and of a bar. */
const MAX_MARGIN = { any: 1 / 2, fewWeeks: 1 / 5, goals: 15 / 100, bars: 6 / 100 }

/** A week as it is stored. All but `week`, `members` and `blur` have noise. */
export interface CountedWeek {
  /** The Monday. */
  week: string
  members: number
  people: number
  minutes: number
  /** Null if it was not counted. */
  goals: number | null
  times: number[]
  days: number[]
  blur: number
}

/** A number, and by how much the noise moves it at most in 9 of 10 cases. */
interface Figure {
  value: number
  margin: number
}

/** The report from all counted weeks or the last `WEEKS_READ`, in chronological order. Null if it would say too little. */
export function reportOf(weeks: CountedWeek[], members: number, hasGoals: boolean): Report | null {
  const [averaged, barred] = [weeksAveraged(weeks), weeksOfBars(weeks)]
  const [first, last] = [averaged[0], averaged.at(-1)]
  const people = peopleOf(averaged)
  const averageWeek = averageWeekOf(averaged)
  if (!first || !last || !isClear(people) || !isClear(averageWeek)) return null
  return {
    from: first.week,
    to: dateAfter(last.week, 6),
    weeks: averaged.length,
    people: rounded(people, members),
    averageWeekMinutes: { value: toStep(averageWeek.value, 15), margin: upToStep(averageWeek.margin, 5) },
    goalTenths: hasGoals ? goalTenthsOf(averaged) : null,
    barWeeks: barred.length,
    times: barsOf(barred, ({ times }) => times),
    days: barsOf(barred, ({ days }) => days),
    trend: trendOf(weeks),
    peopleByWeek: weeks
      .map(({ week }, n) => ({ week, figure: peopleOf(weeks.slice(Math.max(0, n + 1 - FEW_WEEKS), n + 1)) }))
      .slice(-MANY_WEEKS)
      .filter(({ figure }) => isClear(figure))
      .map(({ week, figure }) => ({ week, ...rounded(figure, members) })),
  }
}

/** The average week of the report, in minutes to 5 minutes; null where there is no report. Takes weeks as `reportOf`. */
export function companyAverageOf(weeks: CountedWeek[]): { minutes: number; margin: number } | null {
  const averaged = weeksAveraged(weeks)
  const averageWeek = averageWeekOf(averaged)
  if (!isClear(peopleOf(averaged)) || !isClear(averageWeek)) return null
  return { minutes: toStep(averageWeek.value, 5), margin: upToStep(averageWeek.margin, 5) }
}

function weeksAveraged(weeks: CountedWeek[]): CountedWeek[] {
  const few = weeks.slice(-FEW_WEEKS)
  const { value, margin } = averageWeekOf(few)
  return margin <= MAX_MARGIN.fewWeeks * value ? few : weeks.slice(-MANY_WEEKS)
}

function isClear({ value, margin }: Figure): boolean {
  return margin <= MAX_MARGIN.any * value
}

/** The variance of the noise of one number is 2 · (scale · blur)². */
function marginOf(weeks: CountedWeek[], scale: number): number {
  const squares = weeks.reduce((sum, { blur }) => sum + (scale * blur) ** 2, 0)
  return (NINE_TENTHS * Math.sqrt(2 * squares)) / weeks.length
}

function meanOf(weeks: CountedWeek[], number: (week: CountedWeek) => number): number {
  return weeks.reduce((sum, week) => sum + number(week), 0) / weeks.length
}

function figureOf(weeks: CountedWeek[], scale: number, number: (week: CountedWeek) => number): Figure {
  return { value: Math.max(0, meanOf(weeks, number)), margin: marginOf(weeks, scale) }
}

function peopleOf(weeks: CountedWeek[]): Figure {
  const { value, margin } = figureOf(weeks, NOISE.people, ({ people }) => people)
  return {
    value: Math.min(
      value,
      meanOf(weeks, ({ members }) => members),
    ),
    margin,
  }
}

function averageWeekOf(weeks: CountedWeek[]): Figure {
  return ratio(
    figureOf(weeks, NOISE.minutes, ({ minutes }) => minutes),
    peopleOf(weeks),
  )
}

/** The relative margins add up in quadrature. NaN, which is never clear, without a divisor. */
function ratio(figure: Figure, by: Figure): Figure {
  const value = figure.value / by.value
  return { value, margin: Math.hypot(figure.margin, value * by.margin) / by.value }
}

function goalTenthsOf(weeks: CountedWeek[]): number | null {
  if (weeks.some(({ goals }) => goals === null)) return null
  const share = ratio(
    figureOf(weeks, NOISE.goals, ({ goals }) => goals ?? 0),
    peopleOf(weeks),
  )
  if (!isClear(share) || share.margin > MAX_MARGIN.goals) return null
  return Math.round(10 * Math.min(1, share.value))
}

/** The last 4 weeks, or up to 13 where a bar of these is too uncertain. None where it is uncertain then too. */
function weeksOfBars(weeks: CountedWeek[]): CountedWeek[] {
  const isCertain = (some: CountedWeek[]) =>
    marginOf(some, NOISE.bars) <= MAX_MARGIN.bars * WHOLE * peopleOf(some).value
  return [weeks.slice(-FEW_WEEKS), weeks.slice(-MANY_WEEKS)].find(isCertain) ?? []
}

function barsOf(weeks: CountedWeek[], bars: (week: CountedWeek) => number[]): number[] | null {
  const [first] = weeks
  if (!first) return null
  const sizes = bars(first).map((_, n) =>
    Math.max(
      0,
      meanOf(weeks, (week) => bars(week)[n] ?? 0),
    ),
  )
  const sum = sizes.reduce((all, size) => all + size, 0)
  return sum === 0 ? null : sizes.map((size) => Math.round((100 * size) / sum))
}

function trendOf(weeks: CountedWeek[]): Report['trend'] {
  const [before, after] = [weeks.slice(-2 * FEW_WEEKS, -FEW_WEEKS), weeks.slice(-FEW_WEEKS)]
  if (before.length < FEW_WEEKS) return null
  const difference = peopleOf(after).value - peopleOf(before).value
  if (Math.abs(difference) <= Math.hypot(marginOf(before, NOISE.people), marginOf(after, NOISE.people))) return 'same'
  return difference > 0 ? 'more' : 'fewer'
}

/** People, at most as many as there are now. */
function rounded({ value, margin }: Figure, members: number): Figure {
  return { value: Math.min(Math.round(value), members), margin: Math.ceil(margin) }
}

function toStep(value: number, step: number): number {
  return step * Math.round(value / step)
}

/** Up, so that a margin never claims more than is known. */
function upToStep(value: number, step: number): number {
  return step * Math.ceil(value / step)
}
