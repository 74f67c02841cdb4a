import { randomInt } from 'node:crypto'

/**
 * Draws noise by the two-sided geometric law: the probability of k is proportional to exp(-|k| / scale). `scale` is a whole number.
 * Only whole numbers are compared (Canonne, Kamath, Steinke 2020): the rounding of floats would tell some sums from others.
 */
export function drawNoise(scale: number): number {
  for (;;) {
    const rest = randomInt(scale)
    if (!isOneOf(rest, scale)) continue
    let scales = 0
    while (isOneOf(1, 1)) scales += 1
    const size = rest + scale * scales
    const isNegative = randomInt(2) === 1
    // Otherwise 0, which has one sign, would be drawn twice as often.
    if (isNegative && size === 0) continue
    return isNegative ? -size : size
  }
}

/** True with a probability of exp(-part / whole), for a part up to the whole. */
function isOneOf(part: number, whole: number): boolean {
  let n = 1
  while (randomInt(n * whole) < part) n += 1
  return n % 2 === 1
}
