import { updateUsername } from '@deeb/core/account/api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { mergeIntoHome } from '../stats/stats-queries.ts'

/** Saves the user's username and updates every screen that shows it. */
export function useUpdateUsername() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (username: string) => api(updateUsername, { username }),
    onSuccess: ({ username }) => mergeIntoHome(queryClient, ({ profile }) => ({ profile: { ...profile, username } })),
  })
}
