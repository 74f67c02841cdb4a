import type { OutputOf } from '@deeb/core/endpoint'
import { type Agreement, agreeToSign, createSign, readSigns, revokeSign } from '@deeb/core/signs/api'
import { MAX_SIGNS } from '@deeb/core/signs/sign'
import * as texts from '@deeb/texts/signs'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../calls/api.ts'
import { showFailure, showToast } from '../ui/toast.ts'

const KEY = [readSigns.path]

/** The signs of the user, and the circles of the user with theirs. */
export function useSigns() {
  return useQuery({ queryKey: KEY, queryFn: () => api(readSigns, {}) })
}

const refetch = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: KEY })

interface NewSign {
  label: string
  circleId?: string
  showsName?: boolean
  showsUntil?: boolean
}

type Created = OutputOf<typeof createSign>

/** Creates a sign. Shows a failure itself. The secret of the link is in the answer alone, not in the query cache. */
export function useCreateSign(): (sign: NewSign) => Promise<Created | 'proof needed' | 'failed'> {
  const queryClient = useQueryClient()
  return async ({ showsName = false, showsUntil = false, ...sign }) => {
    try {
      const created = await api(createSign, { ...sign, showsName, showsUntil })
      await refetch(queryClient)
      return created
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined
      if (code === 'proof_needed') return 'proof needed'
      showFailure(createFailure(code), texts.notMade())
      await refetch(queryClient)
      return 'failed'
    }
  }
}

function createFailure(code: ApiError['code'] | undefined): string {
  if (code === 'too_many_signs') return texts.tooMany({ count: MAX_SIGNS })
  if (code === 'not_found') return texts.onlyKeeper()
  if (code === 'too_many_attempts') return texts.tooOften()
  return texts.makeFailed()
}

/** Revokes a sign. Resolves to whether it is revoked, and shows what happened. */
export function useRevokeSign(): (id: string) => Promise<boolean> {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: (id: string) => api(revokeSign, { id }),
    onSettled: () => refetch(queryClient),
  })
  return (id) =>
    mutateAsync(id).then(
      () => {
        showToast({ title: texts.revoked(), description: texts.revokedNote(), tone: 'success' })
        return true
      },
      () => {
        showFailure(texts.revokeFailedNote(), texts.revokeFailed())
        return false
      },
    )
}

/** Sets what the sign of a circle shows of the user. Resolves to whether it was saved. */
export function useAgreeToSign(): (id: string, agreement: Agreement) => Promise<boolean> {
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationFn: ({ id, agreement }: { id: string; agreement: Agreement }) => api(agreeToSign, { id, agreement }),
    onSettled: () => refetch(queryClient),
  })
  return (id, agreement) =>
    mutateAsync({ id, agreement }).then(
      () => true,
      (error) => {
        const isGone = error instanceof ApiError && error.code === 'not_found'
        showFailure(isGone ? texts.wasRevoked() : texts.choiceNotSaved())
        return false
      },
    )
}
