import type { CorrectionFault } from '@deeb/core/focus/correction'
import { ApiError } from '../api.ts'

/** What is said of times that cannot be. */
export const FAULT_TEXT: Record<CorrectionFault, string> = {
  'ends before it starts': 'The end must lie after the start.',
  'ends in the future': 'The end cannot lie in the future.',
  'is too long': 'A session lasts 16 hours at the most.',
  'starts too early': 'A session can be moved back 7 days at the most.',
}

/** What is said at the field when the server refuses a correction; null where only a new try can help. */
export function refusalText(error: Error): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'session_overlaps') return 'Another session lies in that time.'
  if (error.code === 'session_not_found') return 'This session can no longer be changed.'
  return error.code === 'invalid_input' ? 'These times are not possible.' : null
}
