import type { InputOf } from '@deeb/core/endpoint'
import { createToken, readTokens, revokeToken } from '@deeb/core/tokens/api'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../calls/api.ts'

const KEY = [readTokens.path]

/** The personal access tokens of the user, newest first. */
export function useTokens() {
  return useQuery({ queryKey: KEY, queryFn: () => api(readTokens, {}) })
}

/** Why a token was not created or revoked. */
export type TokenFailure = 'proof needed' | 'too many' | 'too often' | 'failed'

/** Creates and revokes tokens. */
export function useChangeTokens() {
  const queryClient = useQueryClient()
  /** Also after a failure: the server may have done it before the answer was lost. */
  const refetch = () => queryClient.invalidateQueries({ queryKey: KEY })
  return {
    /** Resolves to the token itself, which nobody can read again. */
    create: (input: InputOf<typeof createToken>) =>
      api(createToken, input)
        .then(({ token }) => ({ token }), failureOf)
        .finally(refetch),
    revoke: (id: string) =>
      api(revokeToken, { id })
        .then(() => 'done' as const, failureOf)
        .finally(refetch),
  }
}

function failureOf(error: unknown): TokenFailure {
  const code = error instanceof ApiError ? error.code : 'unavailable'
  if (code === 'proof_needed') return 'proof needed'
  if (code === 'too_many_tokens') return 'too many'
  return code === 'too_many_attempts' ? 'too often' : 'failed'
}
