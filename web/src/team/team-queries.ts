import {
  answerRequest,
  type CirclePerson,
  type Connection,
  type ConnectionRequest,
  quitConnection,
  readPeople,
  readTeam,
  requestConnection,
  type SentRequest,
  searchColleagues,
  takeBackRequest,
} from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/team'
import {
  keepPreviousData,
  type QueryClient,
  replaceEqualDeep,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { ApiError, api } from '../calls/api.ts'
import { kept, useAsOf } from '../calls/kept.ts'
import { refetchAfterChange } from '../calls/refetch.ts'
import { TEAM_KEY } from '../focus/focus-cache.ts'
import { useFocusQuery } from '../focus/focus-queries.ts'
import { showFailure, showToast } from '../ui/toast.ts'
import { fetchTeam, refetchTeam, SEARCH_KEY, type Team, withLivePresences } from './team-cache.ts'
import { addSent, removeConnection, removeRequest, removeSent } from './team-edits.ts'

/** A timer may be early by a little. */
const VISIBLE_MS = 500
/** The server looks every 15 seconds. */
const MOVED_ON_MS = 20_000

/** Reads the content of the team screen. */
export function useTeam({ enabled = true } = {}) {
  const queryClient = useQueryClient()
  const query = useFocusQuery({ ...teamQuery(queryClient), enabled })
  const changesAfterMs = query.data && nextChange(query.data)
  useEffect(() => {
    if (changesAfterMs === undefined) return
    const refetch = () => refetchAfterChange(queryClient, { queryKey: TEAM_KEY })
    const timer = setTimeout(refetch, changesAfterMs)
    return () => clearTimeout(timer)
  }, [changesAfterMs, queryClient])
  const asOf = useAsOf(query, TEAM_KEY)
  const data = useMemo(() => query.data && { ...query.data, asOf }, [query.data, asOf])
  return { ...query, data }
}

/**
 * How long after this response, in ms, the next people in a circle begin to see each other, or a quiet time has its next occurrence. No
 * event reports it.
 */
function nextChange({ circles = [], newcomers = [], serverTime }: Team): number | undefined {
  const visible = [...circles, ...newcomers].map(({ visibleFrom }) => Date.parse(visibleFrom) + VISIBLE_MS)
  const over = circles.flatMap(({ quiet = [] }) => quiet.map(({ endsAt }) => Date.parse(endsAt) + MOVED_ON_MS))
  const waits = [...visible, ...over].map((ms) => ms - Date.parse(serverTime)).filter((ms) => ms > VISIBLE_MS)
  return waits.length === 0 ? undefined : Math.min(...waits)
}

/** The team's query. */
export function teamQuery(queryClient: QueryClient) {
  return {
    queryKey: TEAM_KEY,
    queryFn: () => fetchTeam(queryClient),
    ...kept(queryClient, TEAM_KEY, { schema: readTeam.output, keep: withoutPresence }),
    structuralSharing: (before: unknown, read: unknown) =>
      replaceEqualDeep(before, withLivePresences(queryClient, read as Team)),
  }
}

const UNKNOWN = { inDeebMode: false, since: null }

/** The stored form: old presence is wrong, and offline nobody can answer the question about a forgotten session. */
function withoutPresence(team: Team): Team {
  const unknown = <M extends Connection | CirclePerson>(member: M): M => ({ ...member, presence: UNKNOWN })
  const { connections, throughCircles } = team
  return {
    ...team,
    forgottenSession: null,
    connections: connections.map(unknown),
    throughCircles: throughCircles?.map(unknown),
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

/** Colleagues to connect with, without a search. Read once per visit of the screen, so that no row moves under a finger. */
export function usePeople({ enabled }: { enabled: boolean }) {
  return useQuery({
    queryKey: [readPeople.path],
    queryFn: () => api(readPeople, {}),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

/** Requests a connection with a colleague, or accepts their request if there is one. */
export function useRequestConnection() {
  return useTeamChange((person: Person) => api(requestConnection, { userId: person.id }), {
    onDone: ({ status, connectionId }, person, queryClient) => {
      if (status === 'accepted') return showToast({ title: texts.requestAccepted(), tone: 'success' })
      addSent(queryClient, { id: connectionId, person })
      showToast({ title: texts.requestSent(), description: texts.requestSentDescription(), tone: 'success' })
    },
    onFailure: (code) => {
      if (code === 'not_signed_in') showFailure(texts.signInToRequest(), texts.authenticationRequired())
      else if (code === 'request_exists') showFailure(texts.requestAlreadySentDescription(), texts.requestAlreadySent())
      else if (code === 'connection_exists') showFailure(texts.connectionExistsDescription(), texts.connectionExists())
      else if (code === 'too_many_attempts') showFailure(texts.tooManyRequests(), texts.requestNotSent())
      else showFailure(texts.requestFailed())
    },
  })
}

/** Takes back a request that the user has sent. */
export function useTakeBackRequest() {
  return useTeamChange((request: SentRequest) => api(takeBackRequest, { requestId: request.id }), {
    onDone: (_answer, request, queryClient) => {
      removeSent(queryClient, request)
      showToast({ title: texts.requestTakenBack(), tone: 'success' })
    },
    onFailure: (code) => {
      if (code === 'not_signed_in') showFailure(texts.signInToTakeBack(), texts.authenticationRequired())
      else if (code === 'connection_exists') showFailure(texts.connectionExistsDescription(), texts.connectionExists())
      else showFailure(texts.takeBackFailed())
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
        showToast({ title: status === 'accepted' ? texts.requestAccepted() : texts.requestDeclined(), tone: 'success' })
      },
      onFailure: (code) => {
        // It was taken back, or answered on another device.
        if (code === 'not_found') showFailure(texts.requestGone(), texts.answerFailed())
        else showFailure(texts.answerFailed())
      },
    },
  )
}

/** Ends a connection. */
export function useQuitConnection() {
  return useTeamChange((connection: Connection) => api(quitConnection, { connectionId: connection.id }), {
    onDone: (_answer, connection, queryClient) => {
      removeConnection(queryClient, connection)
      const description = texts.connectionQuitDescription()
      showToast({ title: texts.connectionQuit(), description, tone: 'success' })
    },
    onFailure: (code) => {
      if (code === 'not_signed_in') showFailure(texts.signInToQuit(), texts.authenticationRequired())
      else showFailure(texts.quitFailed())
    },
  })
}

interface Outcome<Input, Answer> {
  onDone: (answer: Answer, input: Input, queryClient: QueryClient) => void
  onFailure: (code: ApiError['code'] | undefined, input: Input) => void
}

/** Refetches the team after a success and after a failure: a refusal often means that somebody else changed it first. */
export function useTeamChange<Input, Answer>(
  change: (input: Input) => Promise<Answer>,
  { onDone, onFailure }: Outcome<Input, Answer>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (answer, input) => onDone(answer, input, queryClient),
    onError: (error, input) => onFailure(error instanceof ApiError ? error.code : undefined, input),
    onSettled: () => refetchTeam(queryClient),
  })
}

/** Whether a promise is fulfilled. For the `onSubmit` of a FormDialog, after a mutation that shows its own failure. */
export function succeeded(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
