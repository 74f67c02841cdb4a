import type { FocusSession } from '@deeb/core/focus/api'
import { MAX_SESSIONS_PER_DAY } from '@deeb/core/focus/session'
import * as texts from '@deeb/texts/sessions'
import { useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { ApiError } from '../calls/api.ts'
import { serverNow } from '../calls/server-clock.ts'
import { showFailure, showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { endsOf, instantsOf, isSameMinute, partsOf } from './datetime-field.ts'
import { useAddSession } from './sessions-queries.ts'
import { errorsOf } from './use-correction.ts'

export interface OtherSessions {
  sessions: readonly FocusSession[]
  /** Whether one is running. It is not in `sessions`. */
  isFocusing: boolean
}

/** The values of the fields, by the device's clock, and the chosen instants of times that occur twice. */
interface Draft {
  date: string
  startTime: string
  endTime: string
  chosenStart?: Date
  chosenEnd?: Date
}

/** The form state of a session that was missed, until it is added. It may not overlap `sessions`. */
export function useMissedSession({ sessions, isFocusing }: OtherSessions, onDone: () => void) {
  const add = useAddSession()
  const [draft, setDraft] = useState(() => lastHour(sessions, isFocusing))
  const [errors, setErrors] = useState<{ date?: string; start?: string; end?: string }>({})
  const [busy, run, failure] = useBusy()
  /** The idempotency key of what is in the fields: a retry sends it again. */
  const id = useRef(uuidv7())

  const starts = instantsOf(`${draft.date}T${draft.startTime}`)
  const start = chosenOf(starts, draft.chosenStart)
  const ends = endsOf(draft.date, draft.endTime, start)
  const end = chosenOf(ends, draft.chosenEnd)

  function change(part: Partial<Draft>): void {
    id.current = uuidv7()
    setErrors({})
    setDraft({ ...draft, ...part })
  }

  async function save(): Promise<void> {
    if (!draft.date) return setErrors({ date: texts.enterDay() })
    const found = errorsOf(start, end, true)
    setErrors(found)
    if (!start || !end || found.start || found.end) return
    const times = { startedAt: afterNeighbour(start, sessions), endedAt: end }
    await add.mutateAsync({ id: id.current, ...times }).then(saved, refused)
  }

  function saved(): void {
    showToast({ title: texts.added(), tone: 'success' })
    onDone()
  }

  function refused(error: Error): void {
    const code = error instanceof ApiError ? error.code : undefined
    if (code === 'session_overlaps') setErrors({ start: texts.overlaps() })
    else if (code === 'too_many_sessions') setErrors({ date: texts.tooMany({ max: MAX_SESSIONS_PER_DAY }) })
    else showFailure(texts.addFailed())
  }

  return {
    ...{ date: draft.date, starts, start, ends, end, errors, busy, failure, change },
    // A time that the clock skips is visibly corrected.
    startTime: start ? partsOf(start).time : draft.startTime,
    endTime: end ? partsOf(end).time : draft.endTime,
    save: () => run(save),
  }
}

const STEP_MS = 5 * 60_000
const LENGTH_MS = 60 * 60_000

/** The free part of the last hour. Without 5 free minutes, or during a session, today's date alone. */
function lastHour(sessions: readonly FocusSession[], isFocusing: boolean): Draft {
  const now = serverNow().getTime()
  const end = Math.floor(now / STEP_MS) * STEP_MS
  const busyUntil = Math.max(0, ...sessions.map(({ endedAt }) => (endedAt ? Date.parse(endedAt) : now)))
  const start = Math.max(end - LENGTH_MS, Math.ceil(busyUntil / 60_000) * 60_000)
  if (isFocusing || end - start < STEP_MS) return { date: partsOf(new Date(now)).date, startTime: '', endTime: '' }
  const { date, time } = partsOf(new Date(start))
  return { date, startTime: time, endTime: partsOf(new Date(end)).time }
}

function chosenOf(meanings: readonly Date[], chosen: Date | undefined): Date | null {
  return meanings.find((meaning) => isSameMinute(meaning, chosen ?? null)) ?? meanings[0] ?? null
}

/** Fields have no seconds: a start in the minute in which another session ended is the second of that end. */
function afterNeighbour(start: Date, sessions: readonly FocusSession[]): Date {
  const ends = sessions.flatMap(({ endedAt }) => (endedAt ? [new Date(endedAt)] : []))
  return ends.find((end) => isSameMinute(end, start)) ?? start
}
