import { hoursAndMinutes } from '@deeb/core/stats/ring'
import { mondayAfter, WEEKS_IN_LINE, weekText } from '@deeb/core/stats/weeks'
import * as texts from '@deeb/texts/stats'
import { useState } from 'react'
import { LANGUAGE } from '../device/language.ts'
import { moveFocus } from '../ui/roving-focus.ts'

interface WeekLineProps {
  /** The totals of the last weeks, in chronological order. The last one is the current week. */
  minutes: readonly number[]
  /** For the same weeks, or more of them before, how long the longest undisturbed session of a day was; null where nothing is known. */
  stretchMinutes?: readonly (number | null)[] | undefined
  thisWeek: string
  /** The Monday of the shown week. */
  shown: string
  onSelect: (monday: string) => void
}

/* All lengths are pixels. */
const HEIGHT = 56
const MARGIN = 8
const BEST_RADIUS = 6

/** Two points would show no course. */
const FEWEST_WEEKS = 3

/**
 * The totals of the last weeks as a line with a point for each week. The current week is not over: its point is hollow.
 *
 * Like the bars, a list of buttons with a roving tabindex. A press shows the week.
 */
export function WeekLine({ minutes, stretchMinutes = [], thisWeek, shown, onSelect }: WeekLineProps) {
  const [visited, setVisited] = useState<number | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const most = Math.max(...minutes)
  if (minutes.length < FEWEST_WEEKS || most === 0) return null
  const last = minutes.length - 1
  const best = minutes.indexOf(most)
  const longest = Math.max(0, ...stretchMinutes.map((stretch) => stretch ?? 0))
  const weeks = minutes.map((total, n) => {
    const monday = mondayAfter(thisWeek, n - last)
    const text = texts.weekTime({ week: weekText(monday, thisWeek, LANGUAGE), time: hoursAndMinutes(total) })
    const stretch = stretchMinutes.at(n - minutes.length) ?? null
    return { monday, text, y: heightAt(total / most), stretch }
  })
  const current = weeks.findIndex(({ monday }) => monday === shown)
  const stop = visited ?? (current < 0 ? last : current)
  const named = weeks[pointed ?? (current < 0 ? last : current)]?.stretch ?? null
  const title = texts.weeks({ count: weeks.length })
  return (
    <section className="week-line">
      <div className="flex flex-wrap justify-between gap-x-4 text-label">
        <h2>{(pointed === null ? null : weeks[pointed]?.text) ?? title}</h2>
        <p className="flex items-center gap-1.5 text-soft">
          <svg width={14} height={14} fill="none" aria-hidden="true">
            <circle cx="50%" cy="50%" r={3} className="week-dot" />
            <BestMark cx="50%" cy="50%" />
          </svg>
          <span>{texts.bestWeek({ time: hoursAndMinutes(most) })}</span>
        </p>
      </div>
      <div className="week-line-area">
        <svg width="100%" height={HEIGHT} className="absolute" aria-hidden="true">
          {weeks.slice(1).map(({ monday, y }, n) => (
            <line
              key={monday}
              x1={middle(n, weeks.length)}
              x2={middle(n + 1, weeks.length)}
              y1={weeks[n]?.y}
              y2={y}
              className={monday === thisWeek ? 'week-line-open' : undefined}
            />
          ))}
          {longest > 0 ? <Stretches minutes={weeks.map(({ stretch }) => stretch)} longest={longest} /> : null}
        </svg>
        <ul aria-label={title}>
          {weeks.map(({ monday, text, y, stretch }, n) => (
            <li key={monday}>
              <button
                type="button"
                aria-label={withStretch(n === best ? texts.bestOfWeeks({ week: text }) : text, stretch)}
                aria-current={monday === shown || undefined}
                tabIndex={n === stop ? 0 : -1}
                onClick={() => onSelect(monday)}
                onFocus={() => {
                  setVisited(n)
                  setPointed(n)
                }}
                onBlur={() => setPointed(null)}
                onPointerEnter={() => setPointed(n)}
                onPointerLeave={() => setPointed(null)}
                onKeyDown={moveFocus}
              >
                <svg width="100%" height={HEIGHT} fill="none" aria-hidden="true">
                  <circle cx="50%" cy={y} r={3} className={monday === thisWeek ? 'week-dot-open' : 'week-dot'} />
                  {n === best ? <BestMark cx="50%" cy={y} /> : null}
                </svg>
              </button>
            </li>
          ))}
        </ul>
      </div>
      {longest > 0 ? (
        <p className="mt-1 text-note text-soft">
          {texts.thinLine({ time: named === null ? '–' : hoursAndMinutes(named) })}
        </p>
      ) : null}
    </section>
  )
}

/** A second, thin line on a scale of its own. It has a gap where nothing is known. */
function Stretches({ minutes, longest }: { minutes: readonly (number | null)[]; longest: number }) {
  return minutes.map((stretch, n) => {
    const before = n > 0 ? (minutes[n - 1] ?? null) : null
    if (stretch === null) return null
    const [x, y] = [middle(n, minutes.length), heightAt(stretch / longest)]
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the weeks keep their places
      <g key={n} className="week-line-stretch">
        {before === null ? null : (
          <line x1={middle(n - 1, minutes.length)} x2={x} y1={heightAt(before / longest)} y2={y} />
        )}
        <circle cx={x} cy={y} r={1} />
      </g>
    )
  })
}

function withStretch(week: string, stretch: number | null): string {
  return stretch === null ? week : texts.weekStretch({ week, time: hoursAndMinutes(stretch) })
}

/** The y of a share of the most. */
function heightAt(share: number): number {
  return HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN)
}

function BestMark(centre: { cx: string; cy: string | number }) {
  return <circle {...centre} r={BEST_RADIUS} strokeWidth={1.5} className="stroke-ink" />
}

/** The middle of a week's column. There is room for all weeks: fewer of them end at the right. */
function middle(n: number, count: number): string {
  return `${((WEEKS_IN_LINE - count + n + 0.5) / WEEKS_IN_LINE) * 100}%`
}
