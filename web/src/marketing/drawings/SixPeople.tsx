/** Whether each of the six people is in focus. */
const IN_FOCUS = [false, true, true, false, true, false]

const PITCH = 192
const RADIUS = 80

/** A team seen from above: six side by side, on a phone in two rows of three. */
export function SixPeople() {
  return (
    <>
      <People perRow={6} className="people-wide" />
      <People perRow={3} className="people-narrow" />
    </>
  )
}

function People({ perRow, className }: { perRow: 6 | 3; className: string }) {
  const extent = (count: number) => (count - 1) * PITCH + 2 * RADIUS
  return (
    <svg viewBox={`0 0 ${extent(perRow)} ${extent(IN_FOCUS.length / perRow)}`} className={className} aria-hidden="true">
      {IN_FOCUS.map((isInFocus, person) => {
        const x = RADIUS + (person % perRow) * PITCH
        const y = RADIUS + Math.floor(person / perRow) * PITCH
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the key is the person's place.
          <g key={person} transform={`translate(${x} ${y})`}>
            {isInFocus ? (
              <>
                <circle r={RADIUS} className="fill-ink" />
                <circle r={37} className="plug" />
              </>
            ) : (
              <circle r={71} fill="none" strokeWidth={18} className="stroke-ink" />
            )}
          </g>
        )
      })}
    </svg>
  )
}
