import type { Connection, ConnectionRequest, SentRequest } from '@deeb/core/team/api'
import type { QueryClient } from '@tanstack/react-query'
import { TEAM_KEY, type Team } from './team-cache.ts'

/** Changes the cached team after the user's own change, before it is refetched. */
function edit(queryClient: QueryClient, change: (team: Team) => Partial<Team>): void {
  queryClient.setQueryData<Team>(TEAM_KEY, (team) => team && { ...team, ...change(team) })
}

/** Removes a connection that was quit. */
export function removeConnection(queryClient: QueryClient, { id }: Connection): void {
  edit(queryClient, ({ connections }) => ({ connections: connections.filter((other) => other.id !== id) }))
}

/** Removes an answered request. */
export function removeRequest(queryClient: QueryClient, { id }: ConnectionRequest): void {
  edit(queryClient, ({ requests }) => ({ requests: requests.filter((other) => other.id !== id) }))
}

/** Adds a request that was sent. */
export function addSent(queryClient: QueryClient, request: SentRequest): void {
  edit(queryClient, ({ sent }) => ({ sent: [request, ...sent] }))
}

/** Removes a request that was taken back. */
export function removeSent(queryClient: QueryClient, { id }: SentRequest): void {
  edit(queryClient, ({ sent }) => ({ sent: sent.filter((other) => other.id !== id) }))
}
