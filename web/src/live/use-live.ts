import type { LiveEvent } from '@deeb/core/live-events'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followOwnState } from '../focus/follow-own-state.ts'
import { followPresence, followTeam } from '../team/team-reads.ts'
import { listenLive } from './one-per-browser.ts'

/** Keeps what is read up to date with what others, and one's own other devices, do, for as long as the caller is shown. */
export function useLive(userId: string): void {
  const queries = useQueryClient()
  useEffect(() => listenLive(userId, (events) => apply(queries, events)), [queries, userId])
}

function apply(queries: QueryClient, events: LiveEvent[]): void {
  for (const event of events) {
    if (event.type === 'hello' || event.type === 'me-changed') followOwnState(queries, event)
    if (event.type === 'hello' || event.type === 'team-changed') followTeam(queries)
    if (event.type === 'presence') followPresence(queries, event)
  }
}
