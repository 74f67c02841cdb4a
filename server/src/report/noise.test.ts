import { readFile } from 'node:fs/promises'
import { NOISE } from '@deeb/core/report/figures'
import { beforeAll, describe, expect, test } from 'vitest'
import { drawNoise } from './noise.ts'

const DRAWS = 200_000

/** Classes of the two-sided geometric law: up to -6 scales, then 12 a scale, then from 6 scales on. */
const CLASSES_PER_SCALE = 4
const LAST_SCALE = 4

test('noise comes from node:crypto alone', async () => {
  const code = await readFile(new URL('noise.ts', import.meta.url), 'utf8')
  expect(code.match(/^import .*/gm)).toEqual(["import { randomInt } from 'node:crypto'"])
  expect(code).not.toContain('Math.')
})

describe.each([4, NOISE.minutes * 4, NOISE.bars * 50])('with scale %d', (scale) => {
  let drawn: number[]
  beforeAll(() => {
    drawn = Array.from({ length: DRAWS }, () => drawNoise(scale))
  })

  test('draws whole numbers around 0, which is drawn like any other', () => {
    expect(drawn.every(Number.isSafeInteger)).toBe(true)
    const mean = drawn.reduce((sum, noise) => sum + noise, 0) / DRAWS
    expect(Math.abs(mean)).toBeLessThan(5 * Math.sqrt((2 * scale ** 2) / DRAWS))
  })

  test('follows the two-sided geometric law (chi-square)', () => {
    const width = Math.max(1, Math.round(scale / CLASSES_PER_SCALE))
    const last = Math.round((LAST_SCALE * scale) / width)
    const classOf = (noise: number) => Math.max(-last, Math.min(last, Math.floor(noise / width)))
    const counts = new Map<number, number>()
    for (const noise of drawn) counts.set(classOf(noise), (counts.get(classOf(noise)) ?? 0) + 1)
    let chiSquare = 0
    for (let n = -last; n <= last; n++) {
      const from = n === -last ? -Infinity : n * width
      const to = n === last ? Infinity : (n + 1) * width
      const expected = DRAWS * (below(to, scale) - below(from, scale))
      chiSquare += ((counts.get(n) ?? 0) - expected) ** 2 / expected
    }
    // 2 · last degrees of freedom. Passes but for one of millions of runs.
    const freedom = 2 * last
    expect(chiSquare).toBeLessThan(freedom + 6.5 * Math.sqrt(2 * freedom))
  })
})

/** The probability that the two-sided geometric law draws less than a whole number. */
function below(limit: number, scale: number): number {
  if (limit === -Infinity) return 0
  if (limit === Infinity) return 1
  const ratio = Math.exp(-1 / scale)
  return limit <= 0 ? ratio ** (1 - limit) / (1 + ratio) : 1 - ratio ** limit / (1 + ratio)
}
