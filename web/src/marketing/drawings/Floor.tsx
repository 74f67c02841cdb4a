/* Desks seen from above; x is a person in focus. */
const WIDE = ['...x........', '......xxx.x.', '.x....xxxxx.', '......xx.xx.', '....x.......']
const NARROW = ['......', '.x....', '..xxx.', '..xxx.', 'x.x.x.', '.....x']

const PITCH = 96
const RADIUS = 32

/** An office floor. Its twelve desks side by side match the page's twelve columns; a phone shows six. */
export function Floor() {
  return (
    <>
      <Desks rows={WIDE} className="floor-wide" />
      <Desks rows={NARROW} className="floor-narrow" />
    </>
  )
}

function Desks({ rows, className }: { rows: readonly string[]; className: string }) {
  const extent = (count: number) => (count - 1) * PITCH + 2 * RADIUS
  const desks = rows.flatMap((row, y) => [...row].map((desk, x) => ({ x, y, isInFocus: desk === 'x' })))
  return (
    <svg
      viewBox={`0 0 ${extent(rows[0]?.length ?? 0)} ${extent(rows.length)}`}
      className={className}
      aria-hidden="true"
    >
      {desks.map(({ x, y, isInFocus }) => (
        <g key={`${x} ${y}`} transform={`translate(${RADIUS + x * PITCH} ${RADIUS + y * PITCH})`}>
          {isInFocus ? (
            <>
              <circle r={RADIUS} className="fill-ink" />
              <circle r={15} className="plug" />
            </>
          ) : (
            <circle r={28.5} fill="none" strokeWidth={7} className="stroke-hair" />
          )}
        </g>
      ))}
    </svg>
  )
}
