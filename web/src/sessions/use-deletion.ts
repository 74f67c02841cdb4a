import type { FocusSession } from '@deeb/core/focus/api'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/sessions'
import { ApiError } from '../calls/api.ts'
import { dayText } from '../device/local-date.ts'
import { timeRangeText } from '../device/local-time.ts'
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
          title: texts.deleted(),
          description: texts.deletedTimes({ day: dayText(startedAt), times: timeRangeText(startedAt, endedAt) }),
          tone: 'success',
          action: { label: commonTexts.undo(), onPress: undo, autoFocus: isByKeyboard },
        })
      },
      () => showFailure(texts.deleteFailed()),
    )
  }

  function undo(): void {
    restore.mutateAsync(session).then(() => showToast({ title: texts.restored(), tone: 'success' }), showNotRestored)
  }

  function showNotRestored(error: Error): void {
    const title = texts.notRestored()
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'session_overlaps') showFailure(texts.timeTaken(), title)
    else if (code === 'session_not_found') showFailure(texts.goneForGood(), title)
    else {
      const description = texts.checkConnection()
      showToast({ title, description, tone: 'destructive', action: { label: commonTexts.tryAgain(), onPress: undo } })
    }
  }

  return { busy, failure, remove: (isByKeyboard: boolean) => run(() => remove(isByKeyboard)) }
}
