const { SOAK, SOAK_SEED } = process.env

/** Whether this is a soak test (`npm run test:all -- --part soak`), which runs the long form of a test. */
export const IS_SOAK = Boolean(SOAK)

/** A number of repetitions: `short` in `npm test`, `long` in `npm run test:all -- --part soak`. */
export function times(short: number, long: number): number {
  return IS_SOAK ? long : short
}

/** The same for a property test of fast-check, with the seed of SOAK_SEED if set. */
export function runs(short: number, long: number): { numRuns: number; seed?: number } {
  return { numRuns: times(short, long), ...(SOAK_SEED ? { seed: Number(SOAK_SEED) } : {}) }
}
