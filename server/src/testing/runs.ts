const { TORTURE, TORTURE_SEED } = process.env

/** Whether `npm run torture` asks, which gives the long form of a test the time that it takes. */
export const IS_TORTURE = Boolean(TORTURE)

/** How often something is tried: `short` in `npm test`, `long` in `npm run torture`. */
export function times(short: number, long: number): number {
  return IS_TORTURE ? long : short
}

/** The same for a property of fast-check, from the seed of TORTURE_SEED if there is one. */
export function runs(short: number, long: number): { numRuns: number; seed?: number } {
  return { numRuns: times(short, long), ...(TORTURE_SEED ? { seed: Number(TORTURE_SEED) } : {}) }
}
