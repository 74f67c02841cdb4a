import type { OutputOf } from '../endpoint.ts'
import type { readFocus } from './program-api.ts'
import { targetEnd } from './target.ts'

/** The deeb mode of the owner of a token, as programs show it. */
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
