import { updateUsername } from '@deeb/core/account/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { FOCUS_READS, type Home, readAgain } from '../focus/focus-reads.ts'

/** Saves the own username; every screen that shows it follows. */
export function useUpdateUsername() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (username: string) => api(updateUsername, { username }),
    onSuccess: ({ username }) => {
      queries.setQueriesData<Partial<Home>>(
        FOCUS_READS,
        (read) => read && { ...read, ...(read.profile && { profile: { ...read.profile, username } }) },
      )
      readAgain(queries)
    },
  })
}
