/** Pseudo-random numbers from a seed: the same at each start, so two demos show the same data. */
export interface Random {
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True with probability 1 / `times`. */
  oneIn(times: number): boolean
}

/** A linear congruential generator (the constants of Numerical Recipes): good enough for sample data only. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  // The first numbers of adjacent seeds are similar.
  for (let i = 0; i < 10; i++) next()
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { between, oneIn: (times) => between(1, times) === 1 }
}
