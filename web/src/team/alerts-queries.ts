import { MAX_ALERTS, readAlerts, setAlert } from '@deeb/core/alerts/api'
import type { OutputOf } from '@deeb/core/endpoint'
import * as texts from '@deeb/texts/team'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../calls/api.ts'
import { refetchAfterChange } from '../calls/refetch.ts'
import { ALERTS_KEY } from '../focus/focus-cache.ts'
import { showFailure, showToast } from '../ui/toast.ts'

type Alerts = OutputOf<typeof readAlerts>

/** Reads the colleagues for whom the user waits. */
export function useAlerts() {
  return useQuery({ queryKey: ALERTS_KEY, queryFn: () => api(readAlerts, {}) })
}

interface Wish {
  userId: string
  /** The name of the colleague, for a failure. */
  name: string
  isWanted: boolean
}

/** Waits for a colleague, or no longer. An optimistic update. Quick presses are sent one after the other, so the last one counts. */
export function useSetAlert() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationKey: ALERTS_KEY,
    scope: { id: 'alerts' },
    mutationFn: ({ userId, isWanted }: Wish) => api(setAlert, { userId, isWanted }),
    onMutate: async (wish) => {
      await queryClient.cancelQueries({ queryKey: ALERTS_KEY })
      show(queryClient, wish)
    },
    onError: (error, { userId, name, isWanted }) => {
      show(queryClient, { userId, isWanted: !isWanted })
      const code = error instanceof ApiError ? error.code : undefined
      // Good news: what the user waits for.
      if (code === 'not_found') showToast({ title: texts.notInDeebMode({ name }), tone: 'note' })
      else if (code === 'too_many_alerts') showFailure(texts.tooManyAlerts({ max: MAX_ALERTS }))
      else showFailure(texts.alertFailed())
    },
    onSettled: () => {
      // A read before the last press is sent would undo it on the screen.
      if (queryClient.isMutating({ mutationKey: ALERTS_KEY }) === 1)
        refetchAfterChange(queryClient, { queryKey: ALERTS_KEY })
    },
  })
}

function show(queryClient: QueryClient, { userId, isWanted }: Pick<Wish, 'userId' | 'isWanted'>): void {
  queryClient.setQueryData<Alerts>(ALERTS_KEY, (read) => {
    const others = read?.alerts.filter((alert) => alert.userId !== userId) ?? []
    return { ...read, alerts: isWanted ? [...others, { userId, freeSince: null }] : others }
  })
}
