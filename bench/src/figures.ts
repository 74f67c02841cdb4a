/** The median; for an even count the mean of the two in the middle. NaN for an empty list. */
export function median(values: number[]): number {
  return percentile(values, 50)
}

/** The percentile, with linear interpolation between two values. NaN for an empty list. */
export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = ((sorted.length - 1) * percent) / 100
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

/** A number with 3 significant digits, and all digits before the decimal point. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 3) })
}

/**
 * Runs the measurements alternately, so that other load on the machine affects all of them. Resolves with the figures of each,
 * in the order of the rounds.
 */
export async function alternate<Name extends string>(
  rounds: number,
  measures: Record<Name, (round: number) => Promise<number>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[]
  const figures = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of names) figures[name].push(await measures[name](round))
  }
  return figures
}
