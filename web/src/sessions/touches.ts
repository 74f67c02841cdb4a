/*
 * The touches of this page in the open session, and the question "Still in deeb mode?". Outside React: each screen has a frame
 * of its own, and none of this may be lost between two screens. All times are of the server's clock.
 */
import { type StillOnCause, touchSession } from '@deeb/core/sessions/api'
import { api } from '../calls/api.ts'
import { serverNow } from '../calls/server-clock.ts'

/** A device reports its last touch at most this often. Touches this soon after the start are not reported: they tell nothing. */
const REPORT_EVERY_MS = 15 * 60_000

interface Touches {
  sessionId: string
  /** The last touch, and the last one that was reported. 0 before the first. */
  touchedMs: number
  reportedMs: number
  /** The time of the last attempt to report. */
  triedMs: number
  /** The question that is shown, if any. */
  asked: StillOnCause | null
  /** The questions that were answered here, and those of them that were reported. */
  answers: readonly StillOnCause[]
  reportedAnswers: readonly StillOnCause[]
}

let touches = begin('')

function begin(sessionId: string): Touches {
  return { sessionId, touchedMs: 0, reportedMs: 0, triedMs: 0, asked: null, answers: [], reportedAnswers: [] }
}

function update(sessionId: string, part: Partial<Touches>): void {
  touches = { ...touchesOf(sessionId), ...part }
}

/** Returns the touches of a session. Another session begins with none. */
export function touchesOf(sessionId: string): Readonly<Touches> {
  if (touches.sessionId !== sessionId) touches = begin(sessionId)
  return touches
}

export function noteTouch(sessionId: string): void {
  update(sessionId, { touchedMs: serverNow().getTime() })
}

export function noteAsked(sessionId: string, asked: StillOnCause | null): void {
  update(sessionId, { asked })
}

/** Notes that the user is still on, which is a touch too. Reports it immediately; if that fails, with the next report. */
export function noteAnswer(sessionId: string, cause: StillOnCause): Promise<void> {
  noteTouch(sessionId)
  update(sessionId, { asked: null, answers: [...touchesOf(sessionId).answers, cause] })
  return report(sessionId)
}

/** Reports the last touch, if it is due. Call it every now and then. `knownMs` is the last touch that the server knows. */
export async function reportIfDue(sessionId: string, startedMs: number, knownMs: number): Promise<void> {
  const { touchedMs, reportedMs, triedMs, answers, reportedAnswers } = touchesOf(sessionId)
  const hasNews = touchedMs > Math.max(reportedMs, knownMs) || answers.length > reportedAnswers.length
  const isEarly = touchedMs - startedMs < REPORT_EVERY_MS
  const isSoon = serverNow().getTime() - Math.max(triedMs, knownMs) < REPORT_EVERY_MS
  if (hasNews && !isEarly && !isSoon) await report(sessionId)
}

async function report(sessionId: string): Promise<void> {
  const { touchedMs, answers, reportedAnswers } = touchesOf(sessionId)
  const unreported = answers.filter((answer) => !reportedAnswers.includes(answer))
  update(sessionId, { triedMs: serverNow().getTime() })
  const times = { actedAt: new Date(touchedMs).toISOString(), sentAt: serverNow().toISOString() }
  await api(touchSession, { sessionId, times, answers: unreported }).then(
    () => update(sessionId, { reportedMs: touchedMs, reportedAnswers: answers }),
    () => undefined,
  )
}
