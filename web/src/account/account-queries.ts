import { updateLanguage, updateRequestEmails, updateUsername } from '@deeb/core/account/api'
import type { Language } from '@deeb/core/languages'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { mergeIntoHome } from '../focus/day-queries.ts'

/** Saves the user's username and updates every screen that shows it. */
export function useUpdateUsername() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (username: string) => api(updateUsername, { username }),
    onSuccess: ({ username }) => mergeIntoHome(queryClient, ({ profile }) => ({ profile: { ...profile, username } })),
  })
}

/** Switches emails about connection requests on or off. */
export function useUpdateRequestEmails() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (requestEmails: boolean) => api(updateRequestEmails, { requestEmails }),
    onSuccess: ({ requestEmails }) =>
      mergeIntoHome(queryClient, ({ profile }) => ({ profile: { ...profile, requestEmails } })),
  })
}

/** Saves the language of the user. Other devices show it when they read the profile. */
export function useUpdateLanguage() {
  return useMutation({ mutationFn: (language: Language) => api(updateLanguage, { language }) })
}
