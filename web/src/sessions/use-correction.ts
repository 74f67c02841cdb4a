import type { FocusSession } from '@deeb/core/focus/api'
import { type CorrectionFault, correctionFault } from '@deeb/core/sessions/correction'
import { useState } from 'react'
import { ApiError } from '../api.ts'
import { serverNow } from '../server-clock.ts'
import { showFailure, showToast, withdrawFailures } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { isSameMinute } from './datetime-field.ts'
import { toEnded, useCorrectSession } from './session-queries.ts'

type Errors = { start?: string; end?: string }
/** What the person chose; undefined for what they left as it is, null for a field they emptied. */
type Draft = { start?: Date | null; end?: Date | null }

const FAULT: Record<CorrectionFault, Errors> = {
  ends_before_start: { end: 'The end must be after the start.' },
  ends_in_future: { end: 'The end cannot be in the future.' },
  starts_too_early: { start: 'The start must be within the last 7 days.' },
  too_long: { end: 'A session can be 16 hours at most.' },
}

/**
 * The other times that a person gives a session, until they are saved. What they did not touch stays what it is now, also
 * if another device corrects it meanwhile.
 */
export function useCorrection(session: FocusSession, onDone: () => void) {
  const correct = useCorrectSession()
  const [draft, setDraft] = useState<Draft>({})
  const [errors, setErrors] = useState<Errors>({})
  const [busy, run] = useBusy()
  const now = toEnded(session)
  const start = chosen(draft.start, now.startedAt)
  const end = chosen(draft.end, now.endedAt)
  const times = {
    ...(start && start !== now.startedAt && { startedAt: start }),
    ...(end && end !== now.endedAt && { endedAt: end }),
  }

  function change(part: Draft): void {
    setErrors({})
    setDraft({ ...draft, ...part })
  }

  async function save(): Promise<void> {
    withdrawFailures()
    const found = errorsOf(start, end, now.startedAt)
    setErrors(found)
    if (found.start || found.end) return
    if (!times.startedAt && !times.endedAt) return onDone()
    await correct.mutateAsync({ session, ...times }).then(saved, refused)
  }

  function saved(): void {
    showToast({ title: 'Session saved', tone: 'success' })
    onDone()
  }

  function refused(error: Error): void {
    const code = error instanceof ApiError ? error.code : undefined
    const overlap = 'This overlaps another session.'
    if (code === 'session_overlaps') setErrors(times.endedAt ? { end: overlap } : { start: overlap })
    else if (code === 'session_not_found') showFailure('This session was changed on another device.', 'Not saved')
    else showFailure('Failed to save the session. Please try again.')
  }

  return { start, end, change, errors, busy, save: () => run(save) }
}

/** The minute that it has already is no change: its seconds stay, which keep it clear of the session beside it. */
function chosen(time: Date | null | undefined, now: Date): Date | null {
  return time === undefined || isSameMinute(now, time) ? now : time
}

function errorsOf(start: Date | null, end: Date | null, startBefore: Date): Errors {
  if (!start) return { start: 'Choose when it started.' }
  if (!end) return { end: 'Choose when it ended.' }
  const fault = correctionFault({ startedAt: start, endedAt: end, isMovedBack: start < startBefore }, serverNow())
  return fault ? FAULT[fault] : {}
}
