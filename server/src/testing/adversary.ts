/*
 * The adversary of the report: knows every number that is stored, all rules, and what everybody but one person did. So of each number
 * the noise and that person's part are left. All probabilities are exact (Bayes), from 50:50 and from a flat prior over 30 hours.
 */
import { MAX_MINUTES, NOISE } from '@deeb/core/report/figures'
import { IS_SOAK } from './runs.ts'

/** The most that one week can tell: what a person adds to it are 1.75 scales of its noise in all. */
export const MAX_BELIEF = Math.exp(1.75) / (1 + Math.exp(1.75))

/** Prints results of a soak test, for docs/prove/trust.md. */
export function logResults(name: string, values: Record<string, number>): void {
  const text = Object.entries(values).map(([what, value]) => `${what} ${Number(value.toFixed(3))}`)
  if (IS_SOAK) console.log(`${name}: ${text.join(', ')}`)
}

/** One week of numbers, or of one person's part in them. */
export interface Numbers {
  people: number
  minutes: number
  goals: number
  times: number[]
  days: number[]
}

/** Subtracts the part of everybody else from a stored week. */
export function without(week: Numbers, others: Numbers): Numbers {
  const bars = (own: number[], other: number[]) => own.map((size, n) => size - (other[n] ?? 0))
  return {
    people: week.people - others.people,
    minutes: week.minutes - others.minutes,
    goals: week.goals - others.goals,
    times: bars(week.times, others.times),
    days: bars(week.days, others.days),
  }
}

/** The logarithm of how much likelier it is that the person did `part` than that they did nothing. */
export function evidence(left: Numbers, part: Numbers, blur: number): number {
  const of = (rest: number, own: number, scale: number) => (Math.abs(rest) - Math.abs(rest - own)) / (scale * blur)
  const ofBars = (rest: number[], own: number[]) =>
    rest.reduce((sum, size, n) => sum + of(size, own[n] ?? 0, NOISE.bars), 0)
  return (
    of(left.people, part.people, NOISE.people) +
    of(left.minutes, part.minutes, NOISE.minutes) +
    of(left.goals, part.goals, NOISE.goals) +
    ofBars(left.times, part.times) +
    ofBars(left.days, part.days)
  )
}

/** How sure the adversary is that the person did it. */
export function belief(evidence: number): number {
  return 1 / (1 + Math.exp(-evidence))
}

const GRID_MINUTES = 10

/** The size in minutes of the smallest set that has the person's steady weekly minutes with 90 %. */
export function width(weeks: Pick<Numbers, 'people' | 'minutes'>[], blur: number): number {
  const grid = Array.from({ length: MAX_MINUTES / GRID_MINUTES + 1 }, (_, n) => n * GRID_MINUTES)
  const logs = grid.map((minutes) =>
    weeks.reduce(
      (sum, left) =>
        sum -
        Math.abs(left.minutes - minutes) / (NOISE.minutes * blur) -
        Math.abs(left.people - (minutes > 0 ? 1 : 0)) / (NOISE.people * blur),
      0,
    ),
  )
  const max = Math.max(...logs)
  const likely = logs.map((log) => Math.exp(log - max)).toSorted((a, b) => b - a)
  const all = likely.reduce((sum, weight) => sum + weight, 0)
  let covered = 0
  const count = likely.findIndex((weight) => {
    covered += weight
    return covered >= 0.9 * all
  })
  return count * GRID_MINUTES
}

export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
