import * as texts from '@deeb/texts/common'

export interface ShareBar {
  /** `Tuesday` */
  name: string
  /** The text below the bar, or below its first edge: `Tu`. */
  tick: string
  percent: number
  /** Drawn darker. */
  isMost: boolean
}

interface ShareBarsProps {
  label: string
  bars: readonly ShareBar[]
  /** Whether the ticks are the bounds between the bars, or name them. */
  ticks: 'between' | 'below'
}

/* In pixels. */
const AREA = 96
const MIN_HEIGHT = 3

/**
 * Shares of a whole as bars with their percentages, as wide as its parent. The highest one fills the area.
 *
 * Lengths are SVG attributes: the policy of static pages allows no style attributes.
 */
export function ShareBars({ label, bars, ticks }: ShareBarsProps) {
  const most = Math.max(1, ...bars.map(({ percent }) => percent))
  return (
    <ul className="shares" aria-label={label} data-ticks={ticks}>
      {bars.map(({ name, tick, percent, isMost }) => (
        <li key={name}>
          <span className="sr-only">{name}</span> <span>{texts.percent({ percent })}</span>
          <svg width="100%" height={Math.max(MIN_HEIGHT, Math.round((percent / most) * AREA))} aria-hidden="true">
            <rect width="100%" height="100%" rx={Math.min(4, percent)} className={isMost ? 'share-most' : 'share'} />
          </svg>
          <span className="share-tick" aria-hidden="true">
            {tick}
          </span>
        </li>
      ))}
    </ul>
  )
}
