import type { FocusSession } from '@deeb/core/focus/api'
import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'
import { type LikelyEnd, likelyEnds } from '@deeb/core/sessions/likely-ends'
import { lengthText } from '@deeb/core/stats/ring'
import { wholeMinutes } from '@deeb/core/stats/week'
import * as texts from '@deeb/texts/sessions'
import type { FormEvent } from 'react'
import { ApiError } from '../calls/api.ts'
import { dayText, timeOrDayText } from '../device/local-date.ts'
import { timeText } from '../device/local-time.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { useLikelyEnd } from './likely-end-query.ts'
import { toEnded, useCorrectSession, useDiscardSession, useKeepSession } from './sessions-queries.ts'
import { TimeField } from './TimeField.tsx'
import { useCorrection } from './use-correction.ts'

/** Asks what to do with a forgotten session, which the server ended after 16 hours. Shown on every signed-in screen. */
export default function ForgottenSession({ session }: { session: FocusSession }) {
  const { data, isPending } = useLikelyEnd(session.id)
  // Its first button must not change while somebody presses it.
  if (isPending) return null
  const { startedAt, endedAt } = toEnded(session)
  const known = {
    lastTouchAt: data?.lastTouchAt ? new Date(data.lastTouchAt) : null,
    usualEndAt: data?.usualEndAt ? new Date(data.usualEndAt) : null,
  }
  const began = { day: dayText(startedAt), time: timeText(startedAt) }
  const end = timeOrDayText(endedAt, startedAt)
  return (
    <Dialog
      dismissal="blocking"
      title={texts.wereStillOn()}
      description={texts.wereStillOnNote({ ...began, hours: MAX_SESSION_HOURS, end })}
    >
      <Answers session={session} likely={likelyEnds({ startedAt, endedAt }, known)} />
    </Dialog>
  )
}

const SET_END = { last_touch: texts.endAtLastUse, usual_end: texts.endAtUsual }

function Answers({ session, likely }: { session: FocusSession; likely: LikelyEnd[] }) {
  const correct = useCorrectSession()
  const keep = useKeepSession()
  const discard = useDiscardSession()
  const [isAnswering, run, failure] = useBusy()
  const answer = (save: () => Promise<unknown>) => run(() => save().catch(showUnlessAnswered))
  const keepIt = () => answer(() => keep.mutateAsync(session))
  const {
    end,
    change,
    errors,
    busy: isSaving,
    failure: saveFailure,
    save,
  } = useCorrection(session, () => undefined, keepIt)
  const busy = isAnswering || isSaving
  const { startedAt, endedAt } = toEnded(session)
  const length = lengthText(wholeMinutes((endedAt.getTime() - startedAt.getTime()) / 1000))

  function setEnd(at: Date): Promise<void> {
    return correct
      .mutateAsync({ session, endedAt: at })
      .then(() => showToast({ title: texts.saved(), tone: 'success' }))
  }
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!busy) void save()
  }
  return (
    <div className="mt-6 flex flex-col gap-3">
      {likely.map(({ at, why }, n) => (
        <Button
          key={why}
          kind={n === 0 ? 'primary' : 'secondary'}
          busy={busy}
          onClick={() => void answer(() => setEnd(at))}
        >
          {SET_END[why]({ time: timeOrDayText(at, startedAt) })}
        </Button>
      ))}
      <form noValidate className="flex flex-col gap-3" onSubmit={submit}>
        <TimeField
          label={likely.length > 0 ? texts.otherEndTime() : texts.endTime()}
          value={end}
          onChange={(end) => change({ end })}
          error={errors.end}
        />
        <Button kind={likely.length > 0 ? 'secondary' : 'primary'} type="submit" busy={busy}>
          {texts.setEndTime()}
        </Button>
      </form>
      <div className="flex flex-wrap justify-between gap-x-5">
        <TextButton onClick={() => void keepIt()}>{texts.keep({ length })}</TextButton>
        <TextButton tone="destructive" onClick={() => void answer(() => discard.mutateAsync(session))}>
          {texts.discard()}
        </TextButton>
      </div>
      <FormError>{failure ?? saveFailure}</FormError>
    </div>
  )
}

/** Ignores `not found`: the user has answered on another device. */
function showUnlessAnswered(error: Error): void {
  if (error instanceof ApiError && error.code === 'session_not_found') return
  showFailure(texts.answerFailed())
}
