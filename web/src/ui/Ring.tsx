import type { ReactNode } from 'react'

export type RingKind = 'dial' | 'small' | 'reference'

type RingProps = {
  /** Reached part of the goal, 0 to 1. */
  progress: number
  /** Part beyond the goal, 0 to 1: at 1 the whole ring is green. */
  excess?: number
  /** A thin arc around the ring, 0 to 1. */
  outer?: number
  /** Angles in degrees, clockwise from 12 o'clock. */
  hourMarks?: readonly number[]
  /** The accessible name. */
  label: string
  kind?: RingKind
  children?: ReactNode
}

/* All lengths are percent of the ring's width. */
const STROKE: Record<RingKind, number> = { dial: 8.2, small: 9.5, reference: (3 / 112) * 100 }
const MARK = { under: 2.8, length: 2, thickness: 0.55 }
const OUTER = { gap: 1.4, thickness: 0.75 }
const GAP = 0.16
/** The gap is wider than the stroke by this on each side: it also covers the antialiased edge of the ink. */
const OVERLAP = 0.25

/**
 * A progress ring that fills the width of its parent, with its children (RingTime) in the centre. A `reference` ring is a plain
 * thin circle, with which others are compared. A browser that translated it would put elements of HTML into the SVG, which shows none.
 */
export function Ring({ progress, excess = 0, outer = 0, hourMarks = [], label, kind = 'dial', children }: RingProps) {
  const stroke = STROKE[kind]
  const radius = 50 - stroke / 2
  const beyond = clamp(excess) * 100
  const gap = ((GAP * stroke - OVERLAP) / (2 * Math.PI * radius)) * 100
  return (
    <div className="ring-frame" data-kind={kind} translate="no" role="img" aria-label={label}>
      <svg viewBox="0 0 100 100" className="block overflow-visible" fill="none" aria-hidden="true">
        <circle cx={50} cy={50} r={radius} strokeWidth={stroke} className="stroke-line" />
        {hourMarks.map((angle) => (
          <HourMark key={angle} angle={angle} top={stroke + MARK.under} />
        ))}
        <Arc length={clamp(progress) * 100} radius={radius} width={stroke} colour="stroke-ink" />
        {beyond > 0 ? (
          <Arc
            length={beyond + 2 * gap}
            from={-gap}
            radius={radius}
            width={stroke + 2 * OVERLAP}
            colour="stroke-ground"
          />
        ) : null}
        <Arc length={beyond} radius={radius} width={stroke} colour="stroke-green" />
        <Arc length={clamp(outer) * 100} radius={50 + OUTER.gap} width={OUTER.thickness} colour="stroke-soft" />
      </svg>
      {children}
    </div>
  )
}

type ArcProps = { length: number; from?: number; radius: number; width: number; colour: string }

/** `length` and `from` in percent of the circle. Draws nothing at length 0: an empty dash would still show its round caps. */
function Arc({ length, from = 0, radius, width, colour }: ArcProps) {
  if (length <= 0) return null
  return (
    <circle
      cx={50}
      cy={50}
      r={radius}
      strokeWidth={width}
      strokeLinecap="round"
      pathLength={100}
      strokeDasharray={`${Math.min(length, 100)} 100`}
      transform={`rotate(${from * 3.6 - 90} 50 50)`}
      className={`ring-arc ${colour}`}
    />
  )
}

function HourMark({ angle, top }: { angle: number; top: number }) {
  return (
    <line
      x1={50}
      x2={50}
      y1={top}
      y2={top + MARK.length}
      strokeWidth={MARK.thickness}
      strokeLinecap="round"
      transform={`rotate(${angle} 50 50)`}
      className="stroke-tick"
    />
  )
}

function clamp(part: number): number {
  return Math.min(1, Math.max(0, part))
}
