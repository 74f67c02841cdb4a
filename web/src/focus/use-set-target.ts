import { type FocusSession, setTarget } from '@deeb/core/focus/api'
import * as texts from '@deeb/texts/focus'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '../calls/api.ts'
import { refetchAfterChange } from '../calls/refetch.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { showFailure } from '../ui/toast.ts'
import { cachedOpenSession, cacheOpened, FOCUS_QUERIES } from './focus-cache.ts'
import { amendPendingOn } from './queue/amend-pending.ts'

/**
 * Sets the target of the open session in minutes, or removes it with null. While the start is pending, also offline, the target
 * becomes part of it. Later it needs the network. Rejects after it has shown the failure.
 */
export function useSetTarget({ id }: FocusSession) {
  const queryClient = useQueryClient()
  const userId = useSignedInUserId()
  return async (targetMinutes: number | null): Promise<void> => {
    try {
      if (userId && (await amendPendingOn(userId, id, targetMinutes ?? undefined))) return
      const { session } = await api(setTarget, { sessionId: id, targetMinutes })
      // Unless another device has ended it in between.
      if (cachedOpenSession(queryClient)?.id === session.id) cacheOpened(queryClient, session)
    } catch (error) {
      const hasEnded = error instanceof ApiError && error.code === 'session_not_found'
      showFailure(hasEnded ? texts.hasEnded() : texts.endNotSaved())
      throw error
    } finally {
      refetchAfterChange(queryClient, FOCUS_QUERIES)
    }
  }
}
