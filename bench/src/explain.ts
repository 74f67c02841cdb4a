import type { Client } from 'pg'
import { median } from './figures.ts'
import type { Recorded } from './recorded.ts'

/** The execution time of a prepared statement in the database, without planning, in ms: the median of 9. */
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
