import type { InputOf } from '@deeb/core/endpoint'
import {
  createWebhook,
  deleteWebhook,
  readDeliveries,
  readWebhooks,
  replaceWebhookSecret,
  sendAgain,
  testWebhook,
  updateWebhook,
} from '@deeb/core/webhooks/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../calls/api.ts'

const KEY = [readWebhooks.path]
const deliveriesKey = (id: string) => [readDeliveries.path, id]
/** Messages arrive without this page, and no live event reports them. */
const REFETCH_MS = 10_000
const REFETCH_SOON_MS = 2_000

/** The webhooks of the user. */
export function useWebhooks() {
  return useQuery({ queryKey: KEY, queryFn: () => api(readWebhooks, {}), refetchInterval: REFETCH_MS })
}

/** The messages to a webhook. Read again soon while one of them may arrive any moment. */
export function useDeliveries(id: string) {
  return useQuery({
    queryKey: deliveriesKey(id),
    queryFn: () => api(readDeliveries, { id }),
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ nextTryAt, attempts }) => nextTryAt !== null && attempts < 2)
        ? REFETCH_SOON_MS
        : REFETCH_MS,
  })
}

/** Why a change of a webhook failed. */
export type WebhookFailure = 'proof needed' | 'wrong url' | 'too many webhooks' | 'too many' | 'gone' | 'failed'

/** Changes webhooks. A failure is an outcome. */
export function useChangeWebhooks() {
  const queryClient = useQueryClient()
  /** Also after a failure: the server may have done it before the answer was lost. */
  const refetch = () => queryClient.invalidateQueries({ queryKey: KEY })
  return {
    add: (input: InputOf<typeof createWebhook>) =>
      api(createWebhook, input)
        .then(({ secret }) => ({ secret }), failureOf)
        .finally(refetch),
    change: (input: InputOf<typeof updateWebhook>) => api(updateWebhook, input).then(done, failureOf).finally(refetch),
    replaceSecret: (input: InputOf<typeof replaceWebhookSecret>) =>
      api(replaceWebhookSecret, input).then(({ secret }) => ({ secret }), failureOf),
    remove: (id: string) => api(deleteWebhook, { id }).then(done, failureOf).finally(refetch),
  }
}

/** Sends a test, or a message again, and then reads the messages. */
export function useSend(webhookId: string) {
  const queryClient = useQueryClient()
  const refetch = () => queryClient.invalidateQueries({ queryKey: deliveriesKey(webhookId) })
  return {
    sendTest: () => api(testWebhook, { id: webhookId }).then(done, failureOf).finally(refetch),
    sendAgain: (id: string) => api(sendAgain, { id }).then(done, failureOf).finally(refetch),
  }
}

function done(): 'done' {
  return 'done'
}

function failureOf(error: unknown): WebhookFailure {
  const code = error instanceof ApiError ? error.code : 'unavailable'
  if (code === 'proof_needed') return 'proof needed'
  if (code === 'invalid_input') return 'wrong url'
  if (code === 'too_many_webhooks') return 'too many webhooks'
  if (code === 'too_many_attempts') return 'too many'
  return code === 'not_found' ? 'gone' : 'failed'
}
