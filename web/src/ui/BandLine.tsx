import * as texts from '@deeb/texts/ui'

export interface BandPoint {
  /** `26 Oct` */
  name: string
  value: number
  margin: number
}

interface BandLineProps {
  /** The unit of the values, for the table of screen readers: `People`. */
  of: string
  label: string
  /** In chronological order, at least two. */
  points: readonly BandPoint[]
}

/* In pixels. */
const HEIGHT = 112

/** A line of estimates from 0 up, with their margins as a band around it, as wide as its parent. Screen readers get a table. */
export function BandLine({ label, of, points }: BandLineProps) {
  const top = roundUp(Math.max(1, ...points.map(({ value, margin }) => value + margin)))
  const y = (value: number) => Math.round(10 * HEIGHT * (1 - Math.max(0, value) / top)) / 10
  const upper = points.map(({ value, margin }, x) => `${x} ${y(value + margin)}`)
  const lower = points.map(({ value, margin }, x) => `${x} ${y(value - margin)}`)
  return (
    <div className="band-line">
      <p className="band-values" aria-hidden="true">
        <span>{top}</span>
        <span>0</span>
      </p>
      <svg width="100%" height={HEIGHT} aria-hidden="true">
        <line x2="100%" y1={0.5} y2={0.5} className="band-bound" />
        <svg
          viewBox={`0 0 ${points.length - 1} ${HEIGHT}`}
          width="100%"
          height={HEIGHT}
          preserveAspectRatio="none"
          fill="none"
          aria-hidden="true"
        >
          <path d={`M${upper.join('L')}L${lower.reverse().join('L')}Z`} className="band" />
          <path d={`M${points.map(({ value }, x) => `${x} ${y(value)}`).join('L')}`} className="band-middle" />
        </svg>
        <line x2="100%" y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} className="band-bound" />
        <circle cx="100%" cy={y(points.at(-1)?.value ?? 0)} r={4} className="band-end" />
      </svg>
      <p className="band-names" aria-hidden="true">
        <span>{points[0]?.name}</span>
        <span>{points.at(-1)?.name}</span>
      </p>
      {/* A table itself would not get so small. */}
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.week()}</th>
              <th scope="col">{of}</th>
              <th scope="col">{texts.giveOrTake()}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ name, value, margin }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
                <td>{margin}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** The next number with one digit, or with a 5 after it: 7, 15, 50, 150, 2000. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  const step = unit > 1 && value < 5 * unit ? unit / 2 : unit
  return Math.ceil(value / step) * step
}
