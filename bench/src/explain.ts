import type { Client } from 'pg'
import { median } from './figures.ts'
import type { Recorded } from './recorded.ts'

/** How long the database takes for a statement, planning left out, in ms: the median of 9, prepared. */
export async function databaseMs(client: Client, { name, text, values }: Recorded): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 9; run++) {
    const { rows } = await client.query<{ 'QUERY PLAN': { 'Execution Time': number }[] }>({
      name: `explain.${name}`,
      text: `explain (analyze, format json) ${text}`,
      values,
    })
    times.push(rows[0]?.['QUERY PLAN'][0]?.['Execution Time'] ?? Number.NaN)
  }
  return median(times)
}
