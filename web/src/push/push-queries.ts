import { readPush, setStillOnReminders } from '@deeb/core/push/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../calls/api.ts'
import { allowPush, forbidPush } from './push.ts'

const KEY = [readPush.path]

/** Whether push messages reach this browser. */
export function usePush() {
  return useQuery({ queryKey: KEY, queryFn: () => api(readPush, {}) })
}

/** Switches push messages to this browser on or off. Resolves to whether that is done: the browser may refuse. */
export function useSwitchPush(userId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (isOn: boolean) => {
      if (isOn) return allowPush(userId)
      await forbidPush(userId)
      return true
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  })
}

/** Switches the reminder of an open session on or off, for all browsers of the user. */
export function useSetReminders() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (remindsStillOn: boolean) => api(setStillOnReminders, { remindsStillOn }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  })
}
