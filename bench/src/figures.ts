/** The middle of them; of an even number the mean of the two in the middle. NaN of none. */
export function median(values: number[]): number {
  return percentile(values, 50)
}

/** The value below which `percent` of them lie, between two values by the line from one to the other. NaN of none. */
export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = ((sorted.length - 1) * percent) / 100
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}

/** So many digits as say something: 3, and all of those before the point. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)))
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 3) })
}

/**
 * Measures each in turn, and all of them again, so that whatever else the machine does meanwhile does it to each. Gives
 * each one's figures in the order of the rounds.
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
