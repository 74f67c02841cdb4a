import type { OutputOf } from '@deeb/core/endpoint'
import { type Connection, type ConnectionRequest, readTeam, searchColleagues } from '@deeb/core/team/api'
import { newerPresence, type Presence } from '@deeb/core/team/connection'
import { keepPreviousData, type QueryClient, replaceEqualDeep, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { useFocusRead } from '../focus/focus-reads.ts'

export type Team = OutputOf<typeof readTeam>

const TEAM_KEY = [readTeam.path]
const SEARCH_KEY = [searchColleagues.path]

/** What the team screen shows. */
export function useTeam() {
  return useFocusRead({
    queryKey: TEAM_KEY,
    queryFn: () => api(readTeam, {}),
    // A read that was under way while live news came may know less than they did.
    structuralSharing: (before, read) =>
      before ? replaceEqualDeep(before, withNewerPresences(before as Team, read as Team)) : read,
  })
}

/** Colleagues to connect with. While another query is asked for, what the last one found stands. */
export function useSearch(query: string) {
  return useQuery({
    queryKey: [...SEARCH_KEY, query],
    queryFn: () => api(searchColleagues, { query }),
    placeholderData: keepPreviousData,
  })
}

/** Reads everything again that connections and requests show in. */
export function followTeam(queries: QueryClient): void {
  // Where it is being read again already, once is enough.
  void queries.invalidateQueries({ queryKey: TEAM_KEY }, { cancelRefetch: false })
  void queries.invalidateQueries({ queryKey: SEARCH_KEY })
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
  queries.setQueryData<Team>(TEAM_KEY, (team) => team && withPresences(team, new Map([[userId, presence]])))
}

function withNewerPresences(before: Team, read: Team): Team {
  return withPresences(read, new Map(before.connections.map(({ person, presence }) => [person.id, presence])))
}

function withPresences(team: Team, known: ReadonlyMap<string, Presence>): Team {
  const connections = team.connections.map((connection) => {
    const other = known.get(connection.person.id)
    return other ? { ...connection, presence: newerPresence(connection.presence, other) } : connection
  })
  return { ...team, connections }
}
