import {
  answerRequest,
  type Connection,
  type ConnectionRequest,
  quitConnection,
  requestConnection,
} from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../api.ts'
import { showFailure, showToast, withdrawFailures } from '../ui/toast.ts'
import { followTeam, showAnswered, showQuit } from './team-reads.ts'

/** Asks a colleague for a connection, or accepts theirs if they asked first. */
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
        showFailure('A accepted connection already exists with this user.', 'Connection exists')
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
      onDone: ({ status }, { request }, queries) => {
        showAnswered(queries, request)
        showToast({ title: `Request ${status}`, tone: 'success' })
      },
      onFailure: () => showFailure('Failed to handle request'),
    },
  )
}

/** Ends a connection. */
export function useQuitConnection() {
  return useTeamChange((connection: Connection) => api(quitConnection, { connectionId: connection.id }), {
    onDone: (_answer, connection, queries) => {
      showQuit(queries, connection)
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
  onDone: (answer: Answer, input: Input, queries: QueryClient) => void
  onFailure: (code: ApiError['code'] | undefined) => void
}

/** Done or not, the team is read again: a refusal is often somebody else's change that was not seen yet. */
function useTeamChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  { onDone, onFailure }: Outcome<Input, Answer>,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onMutate: withdrawFailures,
    onSuccess: (answer, input) => onDone(answer, input, queries),
    onError: (error) => onFailure(error instanceof ApiError ? error.code : undefined),
    onSettled: () => followTeam(queries),
  })
}
