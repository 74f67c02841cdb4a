/** The size of the dataset, and the duration of the measurements. */
export interface Size {
  people: number
  /** The number of people in the one large company. */
  company: number
  /** The number of people with a history. */
  historians: number
  /** The days of their history; default: 400. */
  historyDays?: number
  rounds: number
  /** The duration of one load. */
  seconds: number
  /** The number of concurrent live streams, in cliques of 51 people who are all connected. */
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

/** For home reads and switches alone: as many rounds as `FULL`, in a minute and a half. */
export const HOT: Size = { ...QUICK, rounds: 5, seconds: 2 }

/** The last people of the company, without streams: those with 500 connections and in ten circles, and their colleagues. */
const SPECIAL = 600

/** A company that is large enough for so many streams, rounded down to whole cliques, at the pace of a quarter of `FULL`. */
export function sizeFor(streams: number): Size {
  const company = Math.ceil((streams + SPECIAL) / 1000) * 1000
  const whole = Math.floor(streams / CLIQUE) * CLIQUE
  return {
    ...QUICK,
    people: 2 * company,
    company,
    seconds: 5,
    streams: whole,
    switchesPerSecond: FULL.switchesPerSecond / 4,
  }
}
