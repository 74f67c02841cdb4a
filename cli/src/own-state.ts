import type { OutputOf } from '@deeb/core/endpoint'
import type { readFocus } from '@deeb/core/focus/api'
import { targetEnd } from '@deeb/core/focus/target'

/** The deeb mode of the signed-in person, as commands and scripts show it. */
export interface OwnState {
  inDeebMode: boolean
  since: string | null
  /** The end of the target, if it is ahead. */
  until: string | null
}

export function ownState({
  openSession,
  serverTime,
}: Pick<OutputOf<typeof readFocus>, 'openSession' | 'serverTime'>): OwnState {
  const until = openSession && targetEnd(openSession)
  return {
    inDeebMode: openSession !== null,
    since: openSession?.startedAt ?? null,
    until: until && until > new Date(serverTime) ? until.toISOString() : null,
  }
}
