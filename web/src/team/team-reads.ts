import type { OutputOf } from '@deeb/core/endpoint'
import { readTeam, searchColleagues } from '@deeb/core/team/api'
import { newerPresence, type Presence } from '@deeb/core/team/connection'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'

export type Team = OutputOf<typeof readTeam>

const TEAM_KEY = [readTeam.path]
const SEARCH_KEY = [searchColleagues.path]

/** What the team screen shows. */
export function useTeam() {
  return useQuery({
    queryKey: TEAM_KEY,
    queryFn: () => api(readTeam, {}),
    // A read that was under way while live news came may know less than they did.
    structuralSharing: (before, read) => (before ? withNewerPresences(before as Team, read as Team) : read),
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
  void queries.invalidateQueries({ queryKey: TEAM_KEY })
  void queries.invalidateQueries({ queryKey: SEARCH_KEY })
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
