import { createHash } from 'node:crypto'
import type { Size } from './size.ts'

/** The id of a person or an auth session in the dataset: `md5(kind || ' ' || n)::uuid`. */
export function idOf(kind: 'person' | 'session', n: number): string {
  const hex = createHash('md5').update(`${kind} ${n}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export const CONNECTIONS = [5, 50, 500] as const
export const HISTORY_DAYS = { '10 days': 10, '1 year': 365, '10 years': 3650 } as const

/** The number of the person with that many connections. The last people of the company are special. */
export function withConnections({ company }: Pick<Size, 'company'>, connections: (typeof CONNECTIONS)[number]): number {
  return company - 10 - CONNECTIONS.indexOf(connections)
}

/** The ten circles of one person, each with fifty other people. */
export const CIRCLES = { count: 10, others: 50 } as const

/** The number of the person in ten circles. */
export function withCircles({ company }: Pick<Size, 'company'>): number {
  return company - 20
}

export function withHistory({ company }: Pick<Size, 'company'>, history: keyof typeof HISTORY_DAYS): number {
  return company - Object.keys(HISTORY_DAYS).indexOf(history)
}
