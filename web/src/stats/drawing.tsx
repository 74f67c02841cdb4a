/* Parts of the pictures of a week and a year. A file has no style sheet: looks are attributes, and colours tokens. */
import type { Month } from '@deeb/core/stats/year'
import type { ReactNode, Ref } from 'react'
import { Logo } from '../ui/Logo.tsx'
import { PICTURE_FONT } from './picture.ts'

interface PictureProps {
  width: number
  height: number
  /** Its alternative text. */
  label: string
  ref: Ref<SVGSVGElement>
  children: ReactNode
}

/** A picture that can be saved, on a ground of its own, from the left in every language. Its frame must not be translated: that would put elements of HTML into it. */
export function Picture({ width, height, label, ref, children }: PictureProps) {
  return (
    <svg
      ref={ref}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      fontFamily={PICTURE_FONT}
      direction="ltr"
      className="picture"
    >
      <rect width={width} height={height} fill="var(--ground)" />
      {children}
    </svg>
  )
}

interface WordsProps {
  x: number
  y: number
  size: number
  weight?: number
  anchor?: 'start' | 'middle' | 'end'
  isSoft?: boolean
  children: string
}

export function Words({ x, y, size, weight = 500, anchor = 'start', isSoft = false, children }: WordsProps) {
  return (
    <text
      x={x}
      y={y}
      fontSize={size}
      fontWeight={weight}
      textAnchor={anchor}
      fill={isSoft ? 'var(--soft)' : 'var(--ink)'}
    >
      {children}
    </text>
  )
}

const SIGNATURE = { width: 144, height: 50 }

/** The logo with both plugs. Its right edge is at `x`. */
export function Signature({ x, y }: { x: number; y: number }) {
  return (
    <svg {...SIGNATURE} x={x - SIGNATURE.width} y={y} color="var(--ink)" aria-hidden="true">
      <Logo plugs="in" />
    </svg>
  )
}

interface GoalRingProps {
  cx: number
  cy: number
  r: number
  width: number
  /** 0 to 1, and beyond it 0 to 1. */
  progress: number
  excess: number
}

/** A ring as on Home. */
export function GoalRing({ cx, cy, r, width, progress, excess }: GoalRingProps) {
  const ring = { cx, cy, r, fill: 'none' }
  return (
    <>
      <circle {...ring} strokeWidth={width} stroke="var(--line)" />
      <Arc {...ring} part={progress} width={width} colour="var(--ink)" />
      {excess > 0 ? <Arc {...ring} part={excess} width={width * 1.3} colour="var(--ground)" /> : null}
      <Arc {...ring} part={excess} width={width} colour="var(--green)" />
    </>
  )
}

type ArcProps = { cx: number; cy: number; r: number; part: number; width: number; colour: string }

/** A part of a circle, clockwise from the top. */
function Arc({ cx, cy, r, part, width, colour }: ArcProps) {
  if (part <= 0) return null
  const line = { fill: 'none', stroke: colour, strokeWidth: width, strokeLinecap: 'round' as const }
  if (part >= 1) return <circle cx={cx} cy={cy} r={r} {...line} />
  const angle = 2 * Math.PI * part
  const [x, y] = [cx + r * Math.sin(angle), cy - r * Math.cos(angle)].map((length) => length.toFixed(2))
  return <path d={`M${cx} ${cy - r}A${r} ${r} 0 ${part > 0.5 ? 1 : 0} 1 ${x} ${y}`} {...line} />
}

/** The side of a day in a month. */
export const DAY = 14
export const MONTH = { width: 7 * DAY, height: 6 * DAY }

/** The middle of the nth day of a month, with a column for each day of the week. */
export function dayAt({ weekday }: Month, n: number): { cx: number; cy: number } {
  const place = weekday + n
  return { cx: (place % 7) * DAY + DAY / 2, cy: Math.floor(place / 7) * DAY + DAY / 2 }
}

export interface DayOfYear {
  progress: number
  excess: number
}

/** A month of days as rings. A day that has not come is a dot. */
export function MonthOfRings({ month, days }: { month: Month; days: readonly (DayOfYear | undefined)[] }) {
  return Array.from({ length: month.days }, (_, n) => {
    const [day, centre] = [days[n], dayAt(month, n)]
    const key = `${month.firstDate} ${n}`
    if (!day) return <circle key={key} {...centre} r={0.8} fill="var(--tick)" />
    if (day.progress === 0)
      return <circle key={key} {...centre} r={4.7} fill="none" strokeWidth={1} stroke="var(--line)" />
    return <GoalRing key={key} {...centre} r={4.7} width={1.9} progress={day.progress} excess={day.excess} />
  })
}

/** How far an hour reaches into its neighbours, in hours. */
const SOFTNESS = 0.75
const STEPS_PER_HOUR = 4

/** The hours of the day as a soft curve over a line: from midnight to midnight, as high as the area at its highest point. */
export function curveOf(hourSeconds: readonly number[], width: number, height: number): { line: string; area: string } {
  const hours = hourSeconds.length
  const values = Array.from({ length: hours * STEPS_PER_HOUR + 1 }, (_, step) => {
    const at = step / STEPS_PER_HOUR
    return hourSeconds.reduce((sum, seconds, hour) => {
      const apart = Math.abs(at - hour - 0.5)
      // Midnight has neighbours on both sides.
      const distance = Math.min(apart, hours - apart) / SOFTNESS
      return sum + seconds * Math.exp(-(distance ** 2) / 2)
    }, 0)
  })
  const highest = Math.max(...values, Number.MIN_VALUE)
  const points = values.map((value, step) => {
    const [x, y] = [(step / (values.length - 1)) * width, height - (value / highest) * height]
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${points.join('L')}`
  return { line, area: `${line}L${width} ${height}L0 ${height}Z` }
}
