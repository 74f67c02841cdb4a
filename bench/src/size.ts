/** How much there is of everything, and how long it is looked at. */
export interface Size {
  people: number
  /** How many of them are in the one large company. */
  company: number
  /** So many people have 400 days of history. */
  historians: number
  rounds: number
  /** Of one measurement of load. */
  seconds: number
  /** Open at once, in cliques of 51 people who are all connected. */
  streams: number
  switchesPerSecond: number
}

export const CLIQUE = 51

export const FULL: Size = {
  people: 100_000,
  company: 50_000,
  historians: 1_000,
  rounds: 5,
  seconds: 5,
  streams: 196 * CLIQUE,
  switchesPerSecond: 500,
}

export const QUICK: Size = {
  people: 4_000,
  company: 2_000,
  historians: 50,
  rounds: 2,
  seconds: 1,
  streams: 10 * CLIQUE,
  switchesPerSecond: 25,
}
