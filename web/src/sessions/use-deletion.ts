import type { FocusSession } from '@deeb/core/focus/api'
import { ApiError } from '../api.ts'
import { dayText, timeRangeText } from '../local-time.ts'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { toEnded, useDiscardSession, useRestoreSession } from './sessions-queries.ts'

/**
 * Deletes a session, and offers to undo that for 8 seconds, also on the next screen. The server has deleted it by then, so a
 * closed page changes nothing.
 */
export function useDeletion(session: FocusSession, onDeleted: () => void) {
  const discard = useDiscardSession()
  const restore = useRestoreSession()
  const [busy, run, failure] = useBusy()
  const { startedAt, endedAt } = toEnded(session)

  /** With the keyboard the focus moves to `Undo`: the row that had it is gone, and the end of the page is far. */
  function remove(isByKeyboard: boolean): Promise<void> {
    return discard.mutateAsync(session).then(
      () => {
        onDeleted()
        showToast({
          title: 'Session deleted',
          description: `${dayText(startedAt)}, ${timeRangeText(startedAt, endedAt)}`,
          tone: 'success',
          action: { label: 'Undo', onPress: undo, autoFocus: isByKeyboard },
        })
      },
      () => showFailure('Failed to delete the session. Please try again.'),
    )
  }

  function undo(): void {
    restore.mutateAsync(session).then(() => showToast({ title: 'Session restored', tone: 'success' }), showNotRestored)
  }

  function showNotRestored(error: Error): void {
    const title = 'Not restored'
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'session_overlaps') showFailure('Another session has its time now, so it stays deleted.', title)
    else if (code === 'session_not_found') showFailure('This session can no longer be restored.', title)
    else {
      const description = 'Check your connection and try again.'
      showToast({ title, description, tone: 'destructive', action: { label: 'Try again', onPress: undo } })
    }
  }

  return { busy, failure, remove: (isByKeyboard: boolean) => run(() => remove(isByKeyboard)) }
}
