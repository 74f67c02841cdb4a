import { useState } from 'react'
import { moveFocus } from './roving-focus.ts'

export interface WeekBar {
  /** The letter below the bar: `M`. */
  letter: string
  /** `Tuesday 7h 10m of 6h 0m`: the bar's accessible name, also shown above it on focus or tap. */
  label: string
  value: number
  goal: number
  /** Another value for comparison, drawn pale behind the bar. */
  pale?: number
  today: boolean
}

type BarValues = Pick<WeekBar, 'value' | 'goal' | 'pale'>

/* All lengths are pixels, upwards from the baseline. */
const AREA = 148
const RADIUS = 4
const MARK = 2
export const ABOVE_GOAL = MARK / 2 + 2
const MIN_HEIGHT = 3

/**
 * A bar chart of seven days with their goals, as wide as its parent. 24 px above the highest bar are free for the label of the
 * focused bar.
 *
 * A list of buttons with a roving tabindex: one tab stop, at today first; arrow keys, Home and End move between the bars. A
 * press shows the bar's label.
 *
 * Lengths are SVG attributes: the policy of static pages allows no style attributes.
 */
export function WeekBars({ label, bars }: { label: string; bars: readonly WeekBar[] }) {
  const [visited, setVisited] = useState<number | null>(null)
  const today = bars.findIndex((bar) => bar.today)
  const stop = visited ?? Math.max(0, today)
  const scale = pixelsPerUnit(bars)
  return (
    <ul className="week" aria-label={label}>
      {bars.map((bar, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the key is the day of the week, so that a changed bar is animated.
        <li key={index} className="week-day">
          <button
            type="button"
            aria-label={bar.label}
            aria-current={bar.today ? 'date' : undefined}
            tabIndex={index === stop ? 0 : -1}
            // Safari does not focus a button on tap.
            onClick={(event) => event.currentTarget.focus()}
            onFocus={() => setVisited(index)}
            onKeyDown={moveFocus}
            className="week-bar"
          >
            <Drawing {...heightsOf(bar, scale)} />
            <span className="week-letter">{bar.letter}</span>
            <span className="week-label">{bar.label}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

type Heights = { goal: number; reached: number; excess: number; pale: number }

/** The y axis points up, so that a bar whose height changes grows from the baseline. */
function Drawing({ goal, reached, excess, pale }: Heights) {
  const foot = goal + ABOVE_GOAL
  const top = excess > 0 ? foot + excess : Math.max(reached, goal + MARK / 2, pale)
  return (
    <svg width="100%" height={AREA} className="week-drawing" aria-hidden="true">
      <g transform={`matrix(1 0 0 -1 0 ${AREA})`}>
        <rect height={goal} rx={RADIUS} className="week-column week-track" />
        {pale > 0 ? <rect height={pale} rx={Math.min(RADIUS, pale / 2)} className="week-column week-pale" /> : null}
        <rect height={reached} rx={Math.min(RADIUS, reached / 2)} className="week-column week-reached" />
        <rect y={foot} height={excess} rx={Math.min(RADIUS, excess / 2)} className="week-column week-excess" />
        <rect y={goal - MARK / 2} width="100%" height={MARK} rx={MARK / 2} className="week-mark" />
        <line x1="50%" x2="50%" y1={top + 2} y2={AREA + 2} className="week-leader" />
      </g>
    </svg>
  )
}

/** The scale at which the highest goal or value fills the area, and a minimal excess over the highest goal still fits. */
export function pixelsPerUnit(bars: readonly BarValues[]): number {
  const scales = bars.flatMap(({ value, goal, pale = 0 }) => [
    AREA / Math.max(value, goal, pale),
    value > goal ? (AREA - ABOVE_GOAL - MIN_HEIGHT) / goal : Number.POSITIVE_INFINITY,
  ])
  const scale = Math.min(...scales)
  return Number.isFinite(scale) ? scale : 0
}

/** Heights in whole pixels, for sharp edges. Every value above 0 is visible. */
export function heightsOf(bar: BarValues, scale: number): Heights {
  const goal = Math.round(bar.goal * scale)
  const value = Math.round(bar.value * scale)
  return {
    goal,
    reached: bar.value > 0 ? Math.min(goal, Math.max(MIN_HEIGHT, value)) : 0,
    excess: bar.value > bar.goal ? Math.max(MIN_HEIGHT, value - goal - ABOVE_GOAL) : 0,
    pale: bar.pale ? Math.max(MIN_HEIGHT, Math.round(bar.pale * scale)) : 0,
  }
}
