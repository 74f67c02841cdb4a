import { updateUsername } from '@deeb/core/account/api'
import { readHome } from '@deeb/core/stats/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'

/** Saves the own username; every read that shows it is read again. */
export function useUpdateUsername() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (username: string) => api(updateUsername, { username }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [readHome.path] }),
  })
}
