import { dateAfter } from '@deeb/core/focus/split-by-day'
import { hoursAndMinutes } from '@deeb/core/stats/ring'
import * as texts from '@deeb/texts/year'
import { type KeyboardEvent, memo, type PointerEvent, useState } from 'react'
import { dayText, noonOf } from '../device/local-date.ts'
import { DAY, dayAt, MONTH, MonthOfRings } from './drawing.tsx'
import type { YearFigures } from './year-figures.ts'

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
  PageUp: -28,
  PageDown: 28,
}
const DAY_MS = 24 * 3_600_000

/**
 * The days of a year as small rings, a block for each month since the first focus time. It is one tab stop: a slider over all days, with arrow keys for days and
 * weeks. A line above the rings names the day.
 */
export function YearCalendar({ year }: { year: YearFigures }) {
  const { to, sum } = year
  const months = monthsWithFocus(year)
  const from = months[0]?.month.firstDate ?? year.from
  const last = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
  const [at, setAt] = useState(last)
  const [isFocused, setIsFocused] = useState(false)
  const [pointed, setPointed] = useState<string | null>(null)
  const here = dateAfter(from, Math.min(at, last))
  const shown = pointed ?? (isFocused ? here : null)

  function press(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    const target = event.key === 'Home' ? 0 : event.key === 'End' ? last : step === undefined ? undefined : at + step
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    setPointed(null)
    setAt(Math.min(Math.max(target, 0), last))
  }
  const dateUnder = (event: PointerEvent) => (event.target as Element).closest<SVGElement>('[data-date]')?.dataset.date

  return (
    <div>
      <h2 className="text-status">{sum}</h2>
      <p className="year-day mt-1 text-note text-pretty text-soft">{shown ? dayLine(year, shown) : texts.rings()}</p>
      {/* Left is earlier in every language. */}
      <div
        role="slider"
        tabIndex={0}
        dir="ltr"
        aria-label={texts.days()}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={Math.min(at, last)}
        aria-valuetext={dayLine(year, here)}
        onKeyDown={press}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
        onPointerOver={(event) => setPointed(dateUnder(event) ?? null)}
        onPointerLeave={() => setPointed(null)}
        onPointerDown={(event) => {
          const date = dateUnder(event)
          if (date) setAt(Math.round((Date.parse(date) - Date.parse(from)) / DAY_MS))
        }}
        className="year-months"
      >
        {months.map(({ month, name, days }) => (
          <Month
            key={month.firstDate}
            {...{ month, name, days }}
            marked={shown?.slice(0, 7) === month.firstDate.slice(0, 7) ? Number(shown.slice(8)) - 1 : null}
          />
        ))}
      </div>
    </div>
  )
}

/** The months from the first with focus time on. */
function monthsWithFocus({ months, dayOf }: YearFigures): YearFigures['months'] {
  const [first = ''] = [...dayOf.keys()].sort()
  return months.slice(
    Math.max(
      0,
      months.findLastIndex(({ month }) => month.firstDate <= first),
    ),
  )
}

type MonthProps = YearFigures['months'][number] & { marked: number | null }

const Month = memo(({ month, name, days, marked }: MonthProps) => (
  <div>
    <p className="text-note text-soft first-letter:uppercase">{name}</p>
    <svg viewBox={`0 0 ${MONTH.width} ${MONTH.height}`} aria-hidden="true">
      <MonthOfRings month={month} days={days} />
      {marked === null ? null : (
        <circle {...dayAt(month, marked)} r={6.4} fill="none" strokeWidth={1.1} stroke="var(--ink)" />
      )}
      {days.map((day, n) => {
        const date = dateAfter(month.firstDate, n)
        const { cx, cy } = dayAt(month, n)
        return day ? (
          <rect
            key={date}
            data-date={date}
            x={cx - DAY / 2}
            y={cy - DAY / 2}
            width={DAY}
            height={DAY}
            fill="transparent"
          />
        ) : null
      })}
    </svg>
  </div>
))
Month.displayName = 'Month'

/** `Tuesday, 24 November: 3h 20m of 4h 0m` */
function dayLine({ dayOf }: YearFigures, date: string): string {
  const [day, found] = [dayText(noonOf(date)), dayOf.get(date)]
  if (!found) return texts.emptyDay({ day })
  return texts.day({ day, time: hoursAndMinutes(found.minutes), goal: hoursAndMinutes(found.goalMinutes) })
}
