import { createHmac } from 'node:crypto'

/** The numbers that a link shows. The last one stands for hundreds. */
const STEPS = [5, 10, 20, 50, 100, 200]
/** No step needs more to be counted. */
export const MOST_COUNTED = 300

/**
 * A step that the number exceeds, or null for a few people. Where each step begins differs for each `subject` by up to a quarter and is
 * secret. So neither a member who counts the others nor somebody who watches the number learns who hides or who left.
 */
export function roughly(count: number, key: Buffer, subject: string): number | null {
  const [byte = 0] = createHmac('sha256', key).update(`about ${subject}`).digest()
  const lowered = count * (1 - byte / 1020)
  return STEPS.findLast((step) => lowered > step) ?? null
}
