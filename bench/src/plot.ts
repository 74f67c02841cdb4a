import { figure } from './figures.ts'

export interface Plot {
  title: string
  /** The x axis. The steps are equally spaced, since each is about ten times the one before. */
  across: { name: string; steps: string[] }
  /** The unit of the y axis. */
  unit: string
  /** One value per step. */
  lines: { name: string; values: number[] }[]
}

const WIDTH = 640
const HEIGHT = 320
const INNER = { left: 64, right: 168, top: 48, bottom: 48 }
const COLOURS = ['#0f766e', '#b45309', '#4338ca', '#be123c']

/** A line plot as a self-contained SVG. The y axis begins at zero, so that a constant time looks flat. */
export function svgOf({ title, across, unit, lines }: Plot): string {
  const max = niceAbove(Math.max(...lines.flatMap(({ values }) => values)))
  const x = (step: number) =>
    INNER.left + (step * (WIDTH - INNER.left - INNER.right)) / Math.max(1, across.steps.length - 1)
  const y = (value: number) => HEIGHT - INNER.bottom - (value / max) * (HEIGHT - INNER.top - INNER.bottom)
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (part) => `<path d="M${INNER.left} ${y(part * max)}H${WIDTH - INNER.right}" stroke="#e5e7eb"/>
<text x="${INNER.left - 8}" y="${y(part * max) + 4}" text-anchor="end">${figure(part * max)}</text>`,
  )
  const steps = across.steps.map(
    (name, step) => `<text x="${x(step)}" y="${HEIGHT - INNER.bottom + 18}" text-anchor="middle">${name}</text>`,
  )
  const labelYs = spreadOut(lines.map(({ values }) => y(values.at(-1) ?? 0)))
  const drawn = lines.map(({ name, values }, index) => {
    const colour = COLOURS[index % COLOURS.length]
    const points = values.map((value, step) => `${x(step)},${y(value).toFixed(1)}`)
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>
${points.map((point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3" fill="${colour}"/>`).join('')}
<text x="${WIDTH - INNER.right + 10}" y="${(labelYs[index] ?? 0) + 4}" fill="${colour}">${name}: ${figure(values.at(-1) ?? 0)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#374151">
<title>${title}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="16" y="24" font-size="15" fill="#111827">${title}</text>
<text x="${INNER.left - 8}" y="${INNER.top - 10}" text-anchor="end">${unit}</text>
<text x="${(INNER.left + WIDTH - INNER.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${across.name}</text>
${[...grid, ...steps, ...drawn].join('\n')}
</svg>
`
}

/** The next higher value of 1, 2, 4 or 8 times a power of ten. */
function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1))
  return power * ([1, 2, 4, 8, 10].find((times) => times * power >= value) ?? 10)
}

/** The same heights, moved down so that labels do not overlap. */
function spreadOut(heights: number[]): number[] {
  const order = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height)
  const placed: number[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const { height, index } of order) {
    last = Math.max(height, last + 16)
    placed[index] = last
  }
  return placed
}
