import type { Connection, ConnectionRequest, SentRequest } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import type { QueryClient } from '@tanstack/react-query'
import { TEAM_KEY } from '../focus/focus-cache.ts'
import type { Team } from './team-cache.ts'

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

/** Removes a person who is hidden from what the user sees through circles. */
export function removeHidden(queryClient: QueryClient, { id }: Person): void {
  edit(queryClient, ({ connections, throughCircles = [], newcomers = [] }) => ({
    connections: connections.map((other) => (other.person.id === id ? { ...other, circleIds: [] } : other)),
    throughCircles: throughCircles.filter(({ person }) => person.id !== id),
    newcomers: newcomers.filter(({ person }) => person.id !== id),
  }))
}

/** Removes a circle that the user left, with the people who are seen through it only. */
export function removeCircle(queryClient: QueryClient, circleId: string): void {
  const without = <M extends Pick<Connection, 'circleIds'>>(member: M): M => ({
    ...member,
    circleIds: member.circleIds?.filter((id) => id !== circleId),
  })
  edit(queryClient, ({ connections, throughCircles = [], circles = [], newcomers = [] }) => ({
    connections: connections.map(without),
    throughCircles: throughCircles.map(without).filter(({ circleIds }) => circleIds.length > 0),
    circles: circles.filter(({ id }) => id !== circleId),
    newcomers: newcomers.filter((newcomer) => newcomer.circleId !== circleId),
  }))
}
