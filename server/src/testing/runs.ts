const { SOAK, SOAK_SEED } = process.env

/** Whether `npm run test:soak` asks, which gives the long form of a test the time that it takes. */
export const IS_SOAK = Boolean(SOAK)

/** How often something is tried: `short` in `npm test`, `long` in `npm run test:soak`. */
export function times(short: number, long: number): number {
  return IS_SOAK ? long : short
}

/** The same for a property of fast-check, from the seed of SOAK_SEED if there is one. */
export function runs(short: number, long: number): { numRuns: number; seed?: number } {
  return { numRuns: times(short, long), ...(SOAK_SEED ? { seed: Number(SOAK_SEED) } : {}) }
}
