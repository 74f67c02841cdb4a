/** Draws numbers that look random and are the same at each start, so that two demos show the same people. */
export interface Dice {
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True once in `times`. */
  onceIn(times: number): boolean
}

/** A linear congruential generator (the constants of Numerical Recipes): enough to look believable, good for nothing else. */
export function rollDice(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  // The first numbers of neighbouring seeds resemble each other.
  for (let i = 0; i < 10; i++) next()
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { between, onceIn: (times) => between(1, times) === 1 }
}
