import { updateUsername } from '@deeb/core/account/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FOCUS_READS } from '../focus/focus-reads.ts'

/** Saves the own username; every read that shows it is read again. */
export function useUpdateUsername() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (username: string) => api(updateUsername, { username }),
    onSuccess: () => queries.invalidateQueries(FOCUS_READS),
  })
}
