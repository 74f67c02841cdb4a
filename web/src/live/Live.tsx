import type { LiveEvent } from '@deeb/core/live-events'
import { readLikelyEnd } from '@deeb/core/sessions/api'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RECEIVED_KEY, SILENT_KEY } from '../calls/use-is-silent.ts'
import { applyOwnState } from '../focus/apply-own-state.ts'
import { ALERTS_KEY } from '../focus/focus-cache.ts'
import { applyPresence, refetchTeam } from '../team/team-cache.ts'
import { listenLive } from './one-per-browser.ts'

/** Applies live events of colleagues and of the user's other devices to the query cache while it is mounted. */
export function Live({ userId }: { userId: string }) {
  const queryClient = useQueryClient()
  useEffect(() => listen(userId, queryClient), [queryClient, userId])
  return null
}

function listen(userId: string, queryClient: QueryClient): () => void {
  return listenLive(userId, {
    onDelivery: (events) => {
      queryClient.setQueryData(SILENT_KEY, false)
      apply(queryClient, events)
    },
    onReceived: () => queryClient.setQueryData(RECEIVED_KEY, Date.now()),
    onSilence: () => {
      queryClient.setQueryData(SILENT_KEY, true)
      apply(queryClient, [{ type: 'team-changed' }])
    },
  })
}

function apply(queryClient: QueryClient, events: LiveEvent[]): void {
  for (const event of events) {
    if (event.type === 'hello' || event.type === 'me-changed') applyOwnState(queryClient, event)
    if (event.type === 'hello' || event.type === 'team-changed') refetchTeam(queryClient, event.type !== 'hello')
    if (event.type === 'alerts-changed') void queryClient.invalidateQueries({ queryKey: ALERTS_KEY })
    if (event.type === 'still-on') void queryClient.invalidateQueries({ queryKey: [readLikelyEnd.path] })
    if (event.type === 'presence') applyPresence(queryClient, event)
  }
}
