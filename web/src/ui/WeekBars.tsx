import { type KeyboardEvent, useState } from 'react'

export interface WeekBar {
  /** Stands under the bar: `M`. */
  letter: string
  /** `Tuesday 7h 10m of 6h 0m`: the bar's name, and what stands above it on focus or tap. */
  label: string
  value: number
  goal: number
  today: boolean
}

/* All lengths are pixels, upwards from the base line. */
const AREA = 148
const RADIUS = 4
const MARK = 2
const ABOVE_GOAL = MARK / 2 + 2
const LEAST = 3

/**
 * A week as seven bars against their goals, as wide as the parent. Above the highest bar it keeps a line of 24 free for
 * the label of the bar that is asked for.
 *
 * A list of buttons that is one tab stop, where the arrow keys, Home and End go from bar to bar and Tab enters at today:
 * to pass a chart should not cost seven keys, and a screen reader, which reads the list item by item, loses nothing.
 * Buttons, since a tap has to reach them, too; what they do is show their label.
 *
 * Lengths are attributes of the drawing, not styles: it stands on static pages, whose policy allows no style attribute.
 */
export function WeekBars({ label, bars }: { label: string; bars: readonly WeekBar[] }) {
  const [visited, setVisited] = useState<number | null>(null)
  const today = bars.findIndex((bar) => bar.today)
  const stop = visited ?? Math.max(0, today)
  const scale = pixelsPerUnit(bars)
  return (
    <ul className="week" aria-label={label}>
      {bars.map((bar, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in the week; only so it glides when it changes.
        <li key={index} className="week-day">
          <button
            type="button"
            aria-label={bar.label}
            aria-current={bar.today ? 'date' : undefined}
            tabIndex={index === stop ? 0 : -1}
            // Safari gives no focus to a button that is tapped.
            onClick={(event) => event.currentTarget.focus()}
            onFocus={() => setVisited(index)}
            onKeyDown={walk}
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

type Heights = { goal: number; reached: number; excess: number }

/** The axis is turned upwards, so that a bar which only changes its height grows from its foot. */
function Drawing({ goal, reached, excess }: Heights) {
  const foot = goal + ABOVE_GOAL
  const top = excess > 0 ? foot + excess : Math.max(reached, goal + MARK / 2)
  return (
    <svg width="100%" height={AREA} className="week-drawing" aria-hidden="true">
      <g transform={`matrix(1 0 0 -1 0 ${AREA})`}>
        <rect height={goal} rx={RADIUS} className="week-column week-track" />
        <rect height={reached} rx={Math.min(RADIUS, reached / 2)} className="week-column week-reached" />
        <rect y={foot} height={excess} rx={Math.min(RADIUS, excess / 2)} className="week-column week-excess" />
        <rect y={goal - MARK / 2} width="100%" height={MARK} rx={MARK / 2} className="week-mark" />
        <line x1="50%" x2="50%" y1={top + 2} y2={AREA + 2} className="week-leader" />
      </g>
    </svg>
  )
}

/** The highest goal or value fills the area, less what the least excess over a high goal needs to stay inside. */
function pixelsPerUnit(bars: readonly WeekBar[]): number {
  const scales = bars.flatMap(({ value, goal }) => [
    AREA / Math.max(value, goal),
    value > goal ? (AREA - ABOVE_GOAL - LEAST) / goal : Number.POSITIVE_INFINITY,
  ])
  const scale = Math.min(...scales)
  return Number.isFinite(scale) ? scale : 0
}

/** Whole pixels, for sharp edges; and however little there is, it is seen. */
function heightsOf(bar: WeekBar, scale: number): Heights {
  const goal = Math.round(bar.goal * scale)
  const value = Math.round(bar.value * scale)
  return {
    goal,
    reached: bar.value > 0 ? Math.min(goal, Math.max(LEAST, value)) : 0,
    excess: bar.value > bar.goal ? Math.max(LEAST, value - goal - ABOVE_GOAL) : 0,
  }
}

function walk(event: KeyboardEvent<HTMLButtonElement>): void {
  const bars = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])]
  const here = bars.indexOf(event.currentTarget)
  const places: Record<string, number> = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: bars.length - 1 }
  const place = places[event.key]
  if (place === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  bars[place]?.focus()
}
