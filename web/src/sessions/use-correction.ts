import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'
import {
  CORRECTABLE_DAYS,
  CORRECTION_FAULTS,
  type CorrectionFault,
  correctionFault,
} from '@deeb/core/sessions/correction'
import type { EndedSession } from '@deeb/core/sessions/read-api'
import * as texts from '@deeb/texts/sessions'
import { useState } from 'react'
import { ApiError } from '../calls/api.ts'
import { serverNow } from '../calls/server-clock.ts'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { isSameMinute } from './datetime-field.ts'
import { toEnded, useCorrectSession } from './sessions-queries.ts'

const FAULTS: Record<CorrectionFault, () => string> = {
  ends_before_start: texts.endsBeforeStart,
  ends_in_future: texts.endsInFuture,
  starts_too_early: () => texts.startsTooEarly({ days: CORRECTABLE_DAYS }),
  too_long: () => texts.tooLong({ hours: MAX_SESSION_HOURS }),
}

type Errors = { start?: string; end?: string }
/** The chosen values: undefined for an unchanged field, null for an empty time. */
type Draft = { start?: Date | null; end?: Date | null; interruptions?: number }

/**
 * The form state of a correction, until it is saved. What the user did not change follows the session, also if another
 * device corrects it in between. Saving without a change calls `onUnchanged`.
 */
export function useCorrection(session: EndedSession, onDone: () => void, onUnchanged: () => unknown = onDone) {
  const correct = useCorrectSession()
  const [draft, setDraft] = useState<Draft>({})
  const [errors, setErrors] = useState<Errors>({})
  const [busy, run, failure] = useBusy()
  const now = toEnded(session)
  const start = chosen(draft.start, now.startedAt)
  const end = chosen(draft.end, now.endedAt)
  const { interruptions: counted = 0 } = session
  const { interruptions = counted } = draft
  const changes = {
    ...(start && start !== now.startedAt && { startedAt: start }),
    ...(end && end !== now.endedAt && { endedAt: end }),
    ...(interruptions !== counted && { interruptions }),
  }

  function change(part: Draft): void {
    setErrors({})
    setDraft({ ...draft, ...part })
  }

  async function save(): Promise<void> {
    const found = errorsOf(start, end, start !== null && start < now.startedAt)
    setErrors(found)
    if (found.start || found.end) return
    if (Object.keys(changes).length === 0) {
      await onUnchanged()
      return
    }
    await correct.mutateAsync({ session, ...changes }).then(saved, refused)
  }

  function saved(): void {
    showToast({ title: texts.saved(), tone: 'success' })
    onDone()
  }

  function refused(error: Error): void {
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'session_overlaps')
      setErrors(changes.endedAt ? { end: texts.overlaps() } : { start: texts.overlaps() })
    else if (code === 'session_not_found') showFailure(texts.changedElsewhere(), texts.notSaved())
    else showFailure(texts.saveFailed())
  }

  return { start, end, interruptions, change, errors, busy, failure, save: () => run(save) }
}

/** The same minute is no change: the seconds stay, so that the session does not overlap its neighbour. */
function chosen(time: Date | null | undefined, now: Date): Date | null {
  return time === undefined || isSameMinute(now, time) ? now : time
}

/** Checks the times, and returns the errors by field. `isMovedBack` as in `correctionFault`: true for a new session. */
export function errorsOf(start: Date | null, end: Date | null, isMovedBack: boolean): Errors {
  if (!start) return { start: texts.enterStart() }
  if (!end) return { end: texts.enterEnd() }
  const fault = correctionFault({ startedAt: start, endedAt: end, isMovedBack }, serverNow())
  if (!fault) return {}
  const message = FAULTS[fault]()
  return CORRECTION_FAULTS[fault].path === 'startedAt' ? { start: message } : { end: message }
}
