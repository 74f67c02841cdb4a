import { createHmac } from 'node:crypto'

/** The numbers that a link shows. The last one stands for hundreds. */
const STEPS = [5, 10, 20, 50, 100, 200]
const FEWEST = 4

/** No step needs more to be counted. */
export const MOST_COUNTED = 300

/**
 * About how many people: a step, or null for a few. What is a few, and where the next step begins, differs for each `subject` by up to a
 * quarter and is secret. So neither a member who counts the others nor somebody who watches the number learns who hides or who left.
 */
export function roughly(count: number, key: Buffer, subject: string): number | null {
  const [byte = 0] = createHmac('sha256', key).update(`about ${subject}`).digest()
  const blurred = count * 0.8 * 1.5625 ** (byte / 255)
  if (blurred < FEWEST) return null
  return STEPS.findLast((step, index) => blurred * blurred >= step * (STEPS[index - 1] ?? 0)) ?? null
}
