import { MAX_CHANGES_PER_CALL, replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { utcOffsetAt } from '@deeb/core/focus/device-zone'
import { MAX_SESSIONS_PER_DAY } from '@deeb/core/focus/session'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/focus'
import { ApiError, apiWhenSent } from '../../calls/api.ts'
import { showLateToast } from '../../ui/late-toast.ts'
import { underSendLock } from './send-lock.ts'
import { isSwitch, type PendingChange } from './stored-changes.ts'
import { type BatchResult, dequeue, isStored, pendingOf, reloadQueue } from './switch-queue.ts'

/** `later`: no response, or one that a retry may change. */
export type Sent = 'nothing' | 'sent' | 'later'

/** Longer than any call with a token refresh in it. */
const TIMEOUT_MS = 30_000

/** Error codes that no retry changes. */
const FINAL = new Set(['too_late', 'ahead_of_time', 'too_many_sessions', 'session_not_found', 'invalid_input'])

type Outcome = Pick<BatchResult, 'taken' | 'openSession'> & {
  /** Error codes of the refused changes. */
  refusedWith: readonly string[]
}

/** Sends the oldest pending batch under a lock, so that one tab at a time sends. Never throws. */
export function sendNext(userId: string): Promise<Sent> {
  return underSendLock(userId, () => within(TIMEOUT_MS, send(userId))).catch(() => 'later')
}

async function send(userId: string): Promise<Sent> {
  await reloadQueue()
  const batch = nextBatch(pendingOf(userId))
  if (batch.length === 0) return 'nothing'
  try {
    const { refusedWith, ...outcome } = await sendBatch(batch)
    if (outcome.taken.length < batch.length) showFailure(refusedWith)
    await dequeue(batch, { userId, ...outcome })
    return 'sent'
  } catch (error) {
    const isFinal = error instanceof ApiError && FINAL.has(error.code)
    // A press that could not be stored is sent once: if that fails, its user has to know.
    const failed = isFinal ? batch : batch.filter((change) => !isStored(change))
    if (failed.length === 0) return 'later'
    showFailure(error instanceof ApiError ? [error.code] : [])
    await dequeue(failed, { userId, taken: [], openSession: undefined })
    return 'sent'
  }
}

/**
 * As many changes as one call takes. An on stays with its off: alone it would open a session that has ended. Switches come first:
 * an interruption still counts when its session has ended, and a server that does not know interruptions refuses their batch.
 */
function nextBatch(all: readonly PendingChange[]): readonly PendingChange[] {
  const switches = all.filter(isSwitch)
  const pending = switches[0] ? switches : all
  const batch = pending.slice(0, MAX_CHANGES_PER_CALL)
  const lastOff = batch.findLastIndex(({ to }) => to === 'off')
  const isCut = pending.length > batch.length && lastOff >= 0
  return isCut ? batch.slice(0, lastOff + 1) : batch
}

async function sendBatch(batch: readonly PendingChange[]): Promise<Outcome> {
  const [only] = batch
  if (only && batch.length === 1 && isSwitch(only)) return sendOne(only)
  const { refused, openSession } = await apiWhenSent(replaySwitches, (userId) => ({
    sentAt: sendTime(userId, batch),
    changes: batch.map(({ to, sessionId, timeZone, targetMinutes, pressId = '', actedAt }) =>
      to === 'on'
        ? { to, sessionId, ...zoneOf(timeZone, actedAt), targetMinutes, actedAt: text(actedAt) }
        : to === 'off'
          ? { to, sessionId, actedAt: text(actedAt) }
          : { to, sessionId, pressId, actedAt: text(actedAt) },
    ),
  }))
  // An older server does not know the UTC offset: the presses wait for its upgrade.
  if (refused.some(({ code }) => code === 'invalid_time_zone')) throw new ApiError('invalid_time_zone')
  const isTaken = ({ to, sessionId }: PendingChange) =>
    !refused.some((other) => other.to === to && other.sessionId === sessionId)
  return { taken: batch.filter(isTaken), openSession, refusedWith: refused.map(({ code }) => code) }
}

async function sendOne(change: PendingChange): Promise<Outcome> {
  const { sessionId, timeZone, to, targetMinutes } = change
  const times = (userId: string | undefined) => ({
    actedAt: text(change.actedAt),
    sentAt: sendTime(userId, [change]),
  })
  if (to === 'off') {
    await apiWhenSent(stopFocus, (userId) => ({ sessionId, times: times(userId) }))
    return { taken: [change], openSession: undefined, refusedWith: [] }
  }
  const { session } = await apiWhenSent(startFocus, (userId) => ({
    sessionId,
    ...zoneOf(timeZone, change.actedAt),
    targetMinutes,
    times: times(userId),
  }))
  return { taken: [change], openSession: session.endedAt === null ? session : undefined, refusedWith: [] }
}

/** The time zone of a press, with the UTC offset then: a server that does not know the name goes by it. */
function zoneOf(timeZone: string, actedAt: number) {
  return { timeZone, utcOffset: utcOffsetAt(new Date(actedAt)) }
}

/** The time of sending. Throws if another user than the signed-in one made the changes. */
function sendTime(userId: string | undefined, batch: readonly PendingChange[]): string {
  if (batch.some((change) => change.userId !== userId)) throw new Error('Another user is signed in.')
  return text(Date.now())
}

function text(ms: number): string {
  return new Date(ms).toISOString()
}

function showFailure(codes: readonly string[]): void {
  const description = codes.includes('too_many_sessions')
    ? texts.tooMany({ max: MAX_SESSIONS_PER_DAY })
    : texts.toggleFailed()
  showLateToast({ title: commonTexts.error(), description, tone: 'destructive' })
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject)
    AbortSignal.timeout(ms).addEventListener('abort', () => reject(new Error('The request timed out.')))
  })
}
