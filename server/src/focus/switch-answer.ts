import type { FocusSession } from '@deeb/core/focus/api'

export interface SessionRow {
  id: string
  startedAt: Date
  endedAt: Date | null
}

/** What both switches answer with. */
export function switchAnswer(row: SessionRow, now: Date): { session: FocusSession; serverTime: string } {
  const session = { id: row.id, startedAt: row.startedAt.toISOString(), endedAt: row.endedAt?.toISOString() ?? null }
  return { session, serverTime: now.toISOString() }
}
