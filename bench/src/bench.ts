import type { Databases, Dataset } from './databases.ts'
import type { Report } from './report.ts'
import type { Size } from './size.ts'
import { signedIn } from './tokens.ts'

/** The input of every measurement. */
export interface Bench {
  isQuick: boolean
  size: Size
  databases: Databases
  dataset: Dataset
  report: Report
  /** The path of the program; null if not installed. */
  wrk: string | null
}

let taken = 0

/** People that no measurement has used yet, for measurements that write. Signed in. */
export async function freshPeople({ dataset }: Pick<Bench, 'dataset'>, count: number) {
  const first = dataset.size.company + 1 + taken
  taken += count
  if (first + count > 0.98 * dataset.size.people)
    throw new Error('The dataset has too few people for all measurements.')
  return signedIn(first, first + count - 1)
}

/** People with 400 days of history, signed in, different ones in each round. */
export async function historians({ dataset }: Pick<Bench, 'dataset'>, round: number, count: number) {
  const first = 1 + ((round * count) % (dataset.size.historians - count))
  return signedIn(first, first + count - 1)
}
