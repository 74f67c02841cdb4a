import {
  answerRequest,
  type Connection,
  type ConnectionRequest,
  quitConnection,
  readTeam,
  requestConnection,
  searchColleagues,
} from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import {
  keepPreviousData,
  type QueryClient,
  replaceEqualDeep,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { ApiError, api } from '../api.ts'
import { useFocusQuery } from '../focus/focus-queries.ts'
import { showFailure, showToast, withdrawFailures } from '../ui/toast.ts'
import {
  livePresences,
  refetchTeam,
  removeConnection,
  removeRequest,
  SEARCH_KEY,
  TEAM_KEY,
  type Team,
  withPresences,
} from './team-cache.ts'

/** What the team screen shows. */
export function useTeam() {
  return useFocusQuery(teamQuery(useQueryClient()))
}

/** The team's query. A response that predates a live event is merged with the presence of that event. */
export function teamQuery(queryClient: QueryClient) {
  return {
    queryKey: TEAM_KEY,
    queryFn: () => api(readTeam, {}),
    structuralSharing: (before: unknown, read: unknown) =>
      replaceEqualDeep(before, withPresences(read as Team, livePresences(queryClient))),
  }
}

/** Colleagues to connect with. The previous result stays until the next one is loaded. */
export function useSearch(query: string) {
  return useQuery({
    queryKey: [...SEARCH_KEY, query],
    queryFn: () => api(searchColleagues, { query }),
    placeholderData: keepPreviousData,
  })
}

/** Requests a connection with a colleague, or accepts their request if there is one. */
export function useRequestConnection() {
  return useTeamChange((person: Person) => api(requestConnection, { userId: person.id }), {
    onDone: ({ status }) => {
      if (status === 'accepted') showToast({ title: 'Request accepted', tone: 'success' })
      else showToast({ title: 'Request sent', description: 'Connection request sent successfully!', tone: 'success' })
    },
    onFailure: (code) => {
      if (code === 'not_signed_in')
        showFailure('Please sign in to send connection requests.', 'Authentication required')
      else if (code === 'request_exists')
        showFailure("You've already sent a request to this user.", 'Request already sent')
      else if (code === 'connection_exists')
        showFailure('An accepted connection already exists with this user.', 'Connection exists')
      else showFailure('Failed to send connection request. Please try again.')
    },
  })
}

/** Accepts or declines a request. */
export function useAnswerRequest() {
  return useTeamChange(
    ({ request, answer }: { request: ConnectionRequest; answer: 'accepted' | 'declined' }) =>
      api(answerRequest, { requestId: request.id, answer }),
    {
      onDone: ({ status }, { request }, queryClient) => {
        removeRequest(queryClient, request)
        showToast({ title: `Request ${status}`, tone: 'success' })
      },
      onFailure: () => showFailure('Failed to handle request'),
    },
  )
}

/** Ends a connection. */
export function useQuitConnection() {
  return useTeamChange((connection: Connection) => api(quitConnection, { connectionId: connection.id }), {
    onDone: (_answer, connection, queryClient) => {
      removeConnection(queryClient, connection)
      const description = 'You have successfully quit the connection.'
      showToast({ title: 'Connection quit', description, tone: 'success' })
    },
    onFailure: (code) => {
      if (code === 'not_signed_in') showFailure('Please sign in to quit connections.', 'Authentication required')
      else showFailure('Failed to quit connection. Please try again.')
    },
  })
}

interface Outcome<Input, Answer> {
  onDone: (answer: Answer, input: Input, queryClient: QueryClient) => void
  onFailure: (code: ApiError['code'] | undefined) => void
}

/** Refetches the team after a success and after a failure: a refusal often means that somebody else changed it first. */
function useTeamChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  { onDone, onFailure }: Outcome<Input, Answer>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onMutate: withdrawFailures,
    onSuccess: (answer, input) => onDone(answer, input, queryClient),
    onError: (error) => onFailure(error instanceof ApiError ? error.code : undefined),
    onSettled: () => refetchTeam(queryClient),
  })
}
