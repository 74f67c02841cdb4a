import type { OutputOf } from '@deeb/core/endpoint'
import { newerPresence, type Presence } from '@deeb/core/presence/presence'
import { type Connection, type ConnectionRequest, readTeam, searchColleagues } from '@deeb/core/team/api'
import { keepPreviousData, type QueryClient, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { askAgain } from '../ask-again.ts'
import { useFocusRead } from '../focus/focus-reads.ts'

export type Team = OutputOf<typeof readTeam>

const TEAM_KEY = [readTeam.path]
const SEARCH_KEY = [searchColleagues.path]
/** In the cache, so that it goes with the person. */
const HEARD_KEY = ['heard-presences']

type Presences = ReadonlyMap<string, Presence>

/** What the team screen shows. */
export function useTeam() {
  return useFocusRead(teamRead(useQueryClient()))
}

/** The read of the team. An answer that was on its way while live news came may know less than they did. */
export function teamRead(queries: QueryClient) {
  return {
    queryKey: TEAM_KEY,
    queryFn: () => api(readTeam, {}),
    structuralSharing: (before: unknown, read: unknown) =>
      replaceEqualDeep(before, withPresences(read as Team, heardPresences(queries))),
  }
}

/** Colleagues to connect with. While another query is asked for, what the last one found stands. */
export function useSearch(query: string) {
  return useQuery({
    queryKey: [...SEARCH_KEY, query],
    queryFn: () => api(searchColleagues, { query }),
    placeholderData: keepPreviousData,
  })
}

/**
 * Reads everything again that connections and requests show in. What is not shown is forgotten: no screen opens with somebody
 * who has quit.
 */
export function followTeam(queries: QueryClient): void {
  for (const queryKey of [TEAM_KEY, SEARCH_KEY]) {
    queries.removeQueries({ queryKey, type: 'inactive' })
    askAgain(queries, { queryKey })
  }
}

/** Takes a connection that was quit off the screen, and with it what it tells. */
export function showQuit(queries: QueryClient, { id }: Connection): void {
  const isLeft = (connection: Connection) => connection.id !== id
  queries.setQueryData<Team>(TEAM_KEY, (team) => team && { ...team, connections: team.connections.filter(isLeft) })
}

/** Takes a request that was answered off the list. */
export function showAnswered(queries: QueryClient, { id }: ConnectionRequest): void {
  const isLeft = (request: ConnectionRequest) => request.id !== id
  queries.setQueryData<Team>(TEAM_KEY, (team) => team && { ...team, requests: team.requests.filter(isLeft) })
}

/** Shows what a connection's deeb mode became. */
export function followPresence(
  queries: QueryClient,
  { userId, presence }: { userId: string; presence: Presence },
): void {
  queries.setQueryDefaults(HEARD_KEY, { gcTime: Number.POSITIVE_INFINITY })
  queries.setQueryData<Presences>(HEARD_KEY, new Map([...heardPresences(queries), [userId, presence]]))
  queries.setQueryData<Team>(TEAM_KEY, (team) => team && withPresences(team, heardPresences(queries)))
}

/** By person, what live news told last. */
function heardPresences(queries: QueryClient): Presences {
  return queries.getQueryData<Presences>(HEARD_KEY) ?? new Map()
}

function withPresences(team: Team, known: Presences): Team {
  const connections = team.connections.map((connection) => {
    const other = known.get(connection.person.id)
    return other ? { ...connection, presence: newerPresence(connection.presence, other) } : connection
  })
  return { ...team, connections }
}
