import type { readAlerts } from '@deeb/core/alerts/api'
import { allowKnocks, answerKnock, type KnockAnswer, type Knocks, knock } from '@deeb/core/alerts/knock-api'
import type { OutputOf } from '@deeb/core/endpoint'
import type { Person } from '@deeb/core/team/connection'
import * as texts from '@deeb/texts/knocks'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../calls/api.ts'
import { refetchAfterChange } from '../calls/refetch.ts'
import { ALERTS_KEY } from '../focus/focus-cache.ts'
import { showFailure } from '../ui/toast.ts'
import { useAlerts } from './alerts-queries.ts'
import { shortName } from './members.ts'

/** The knocks from and to the user, and who may knock. Undefined until they are known. */
export function useKnocks(): Knocks | undefined {
  return useAlerts().data?.knocks
}

/** Knocks at a colleague. Their row says so before the server has answered. */
export function useKnock() {
  return useKnocksChange(({ id }: Person) => api(knock, { userId: id }), {
    show: (knocks, { id }) => ({ ...knocks, sent: [...knocks.sent, { userId: id, answer: null }] }),
    fail: (person, code) => {
      const name = shortName(person)
      if (code === 'too_many_knocks') showFailure(texts.tooMany())
      else if (code === 'not_found') showFailure(texts.notNow({ name }))
      else showFailure(texts.notSent({ name }))
    },
  })
}

/** Answers a knock at the user. */
export function useAnswerKnock() {
  return useKnocksChange(
    ({ userId, answer }: { userId: string; answer: KnockAnswer }) => api(answerKnock, { userId, answer }),
    {
      show: (knocks, { userId }) => ({ ...knocks, received: knocks.received.filter(({ id }) => id !== userId) }),
      fail: () => showFailure(texts.notAnswered()),
    },
  )
}

/** Lets the people of a connection or circle knock at the user, or not any more. */
export function useAllowKnocks() {
  return useKnocksChange((wish: { id: string; isAllowed: boolean }) => api(allowKnocks, wish), {
    show: (knocks, { id, isAllowed }) => {
      const others = knocks.allowed.filter((allowed) => allowed !== id)
      return { ...knocks, allowed: isAllowed ? [...others, id] : others }
    },
    fail: () => showFailure(texts.notSaved()),
  })
}

interface Change<Input> {
  /** How the knocks are once the change is made. */
  show: (knocks: Knocks, input: Input) => Knocks
  fail: (input: Input, code: ApiError['code'] | undefined) => void
}

/** An optimistic update: what the server has is read again after it, also after a failure. Quick presses are sent one after the other. */
function useKnocksChange<Input>(change: (input: Input) => Promise<unknown>, { show, fail }: Change<Input>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: ALERTS_KEY,
    scope: { id: 'alerts' },
    mutationFn: change,
    onMutate: async (input) => {
      await queryClient.cancelQueries({ queryKey: ALERTS_KEY })
      showIn(queryClient, (knocks) => show(knocks, input))
    },
    onError: (error, input) => fail(input, error instanceof ApiError ? error.code : undefined),
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: ALERTS_KEY }) === 1)
        refetchAfterChange(queryClient, { queryKey: ALERTS_KEY })
    },
  })
}

function showIn(queryClient: QueryClient, change: (knocks: Knocks) => Knocks): void {
  queryClient.setQueryData<OutputOf<typeof readAlerts>>(
    ALERTS_KEY,
    (read) => read?.knocks && { ...read, knocks: change(read.knocks) },
  )
}
