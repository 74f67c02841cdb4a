import { useCounted } from './use-counted.ts'

/* Half the height of the typeface's digits: the distance from the centre to their baseline. */
const HALF_FIGURE = '0.352em'

/**
 * The time in the centre of a Ring, scaled with it: `3h 43m`, or `24h` when minutes are null. Hidden from screen readers, which
 * read the ring's label.
 *
 * An SVG text: browsers round the baseline of HTML text twice, which moves it up to two pixels off the centre.
 */
export function RingTime({ hours, minutes }: { hours: number; minutes: number | null }) {
  const counted = useCounted(hours * 60 + (minutes ?? 0))
  const long = minutes !== null && (hours > 9 || minutes > 9)
  return (
    <svg viewBox="0 0 100 100" className="ring-time" data-long={long || undefined} aria-hidden="true">
      <text x={50} y={50} dy={HALF_FIGURE} textAnchor="middle">
        <Figure shown={Math.floor(counted / 60)} final={hours} />
        <Unit letter="h" />
        {minutes === null ? null : (
          <>
            <tspan className="ring-space"> </tspan>
            <Figure shown={counted % 60} final={minutes} after="0.22em" />
            <Unit letter="m" />
          </>
        )}
      </text>
    </svg>
  )
}

/** A number that counts up. Reserves the width of its final digits, so that nothing moves sideways. */
function Figure({ shown, final, after }: { shown: number; final: number; after?: string }) {
  const missing = String(final).length - String(shown).length
  return (
    <>
      {missing > 0 ? (
        <tspan dx={after} visibility="hidden">
          {'0'.repeat(missing)}
        </tspan>
      ) : null}
      <tspan dx={missing > 0 ? undefined : after}>{shown}</tspan>
    </>
  )
}

function Unit({ letter }: { letter: 'h' | 'm' }) {
  return (
    <tspan dx="0.12em" className="ring-unit">
      {letter}
    </tspan>
  )
}
