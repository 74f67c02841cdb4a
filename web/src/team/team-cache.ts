import { readCircles } from '@deeb/core/circles/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { readHome } from '@deeb/core/home/api'
import type { Presence } from '@deeb/core/presence/presence'
import { readTeam, searchColleagues } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { forgetKept } from '../calls/kept.ts'
import { refetchAfterChange } from '../calls/refetch.ts'
import { ALERTS_KEY, NEVER_EVICTED, TEAM_KEY } from '../focus/focus-cache.ts'

export type Team = OutputOf<typeof readTeam>

/** The team as a screen shows it. With `asOf`, when it was read, it may be outdated: nobody's presence is known. */
export type ShownTeam = Team & { asOf: number | null }

export const SEARCH_KEY = [searchColleagues.path]
export const CIRCLES_KEY = [readCircles.path]
/** In the query cache, so that it is cleared together with the user's data. */
const LIVE_PRESENCES_KEY = ['live-presences']

type Presences = ReadonlyMap<string, Presence>

/**
 * Refetches the team, its alerts, the search, the circles and Home, which counts the requests, after a change of connections, requests
 * or circles. Inactive queries are removed: no screen opens with a connection that was quit. If it is only possible that something changed (`isChange` is false),
 * a response for Home in flight is not cancelled: it may be the first one.
 */
export function refetchTeam(queryClient: QueryClient, isChange = true): void {
  for (const queryKey of [TEAM_KEY, SEARCH_KEY, CIRCLES_KEY, ALERTS_KEY]) {
    queryClient.removeQueries({ queryKey, type: 'inactive' })
    if (isChange) forgetKept(queryClient, queryKey)
    refetchAfterChange(queryClient, { queryKey })
  }
  const home = { queryKey: [readHome.path] }
  if (isChange) refetchAfterChange(queryClient, home)
  else void queryClient.invalidateQueries(home, { cancelRefetch: false })
}

/** Reads the team. Live events during the request are at least as new as its answer, or a newer one follows: they win. */
export function fetchTeam(queryClient: QueryClient): Promise<Team> {
  queryClient.removeQueries({ queryKey: LIVE_PRESENCES_KEY })
  return api(readTeam, {})
}

/** Applies a live presence event to the cached team. An event of somebody who is not in it means that it has changed. */
export function applyPresence(
  queryClient: QueryClient,
  { userId, presence }: { userId: string; presence: Presence },
): void {
  queryClient.setQueryDefaults(LIVE_PRESENCES_KEY, { gcTime: NEVER_EVICTED })
  queryClient.setQueryData<Presences>(LIVE_PRESENCES_KEY, new Map([...livePresences(queryClient), [userId, presence]]))
  // Of one person: how old the others are stays as it is.
  const updatedAt = queryClient.getQueryState(TEAM_KEY)?.dataUpdatedAt
  const team = queryClient.setQueryData<Team>(
    TEAM_KEY,
    (team) => team && withLivePresences(queryClient, team),
    updatedAt === undefined ? {} : { updatedAt },
  )
  if (team && !isIn(team, userId)) refetchAfterChange(queryClient, { queryKey: TEAM_KEY })
}

/** The presence that the live stream published since the team was last requested, by user id. */
function livePresences(queryClient: QueryClient): Presences {
  return queryClient.getQueryData<Presences>(LIVE_PRESENCES_KEY) ?? new Map()
}

/** The team with the presence of live events since it was requested. */
export function withLivePresences(queryClient: QueryClient, team: Team): Team {
  const known = livePresences(queryClient)
  const withPresence = <M extends { person: Person; presence: Presence }>(member: M): M => ({
    ...member,
    presence: known.get(member.person.id) ?? member.presence,
  })
  const { connections, throughCircles } = team
  return { ...team, connections: connections.map(withPresence), throughCircles: throughCircles?.map(withPresence) }
}

function isIn({ connections, throughCircles = [] }: Team, userId: string): boolean {
  return [...connections, ...throughCircles].some(({ person }) => person.id === userId)
}
