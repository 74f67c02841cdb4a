import { updateUsername } from '@deeb/core/account/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { followSaved } from '../focus/focus-reads.ts'

/** Saves the own username; every screen that shows it follows. */
export function useUpdateUsername() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (username: string) => api(updateUsername, { username }),
    onSuccess: ({ username }) => followSaved(queries, ({ profile }) => ({ profile: { ...profile, username } })),
  })
}
