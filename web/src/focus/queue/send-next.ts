import { MOST_CHANGES_AT_ONCE, replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { MAX_SESSIONS_PER_DAY } from '@deeb/core/focus/session'
import { ApiError, apiWhenSent } from '../../api.ts'
import { showToast } from '../../ui/toast.ts'
import type { WaitingChange } from './stored-changes.ts'
import { dequeue, isStored, lookAgain, type Settlement, waitingOf } from './switch-queue.ts'

/** `later`: nobody answered, or not with something that will stay so. */
export type Sent = 'nothing' | 'sent' | 'later'

/** Past what a call may take, with a token renewed in its middle. */
const LONGEST_MS = 30_000
/** A tab that the browser has put to sleep may hold the lock. Sending twice does no harm, so it is taken away. */
const PATIENCE_MS = 40_000

/** Answers that would be the same at any other time. */
const FINAL = new Set([
  'too_late',
  'ahead_of_time',
  'too_many_sessions',
  'invalid_time_zone',
  'session_not_found',
  'invalid_input',
])

type Outcome = Pick<Settlement, 'taken' | 'openSession'> & {
  /** Why the others were not taken. */
  refusedWith: readonly string[]
}

/** Sends what has waited longest, while no other tab of the browser does. Throws nothing. */
export function sendNext(userId: string): Promise<Sent> {
  return underLock(`deeb-switch-queue-${userId}`, () => within(LONGEST_MS, send(userId))).catch(() => 'later')
}

async function send(userId: string): Promise<Sent> {
  await lookAgain()
  const letter = nextLetter(waitingOf(userId))
  if (letter.length === 0) return 'nothing'
  try {
    const { refusedWith, ...outcome } = await post(letter)
    if (outcome.taken.length < letter.length) showFailure(refusedWith)
    await dequeue(letter, { userId, ...outcome })
    return 'sent'
  } catch (error) {
    const isFinal = error instanceof ApiError && FINAL.has(error.code)
    // What only this page knows is tried once: whoever presses has to learn that it was not kept.
    const given = isFinal ? letter : letter.filter((change) => !isStored(change))
    if (given.length === 0) return 'later'
    showFailure(error instanceof ApiError ? [error.code] : [])
    await dequeue(given, { userId, taken: [], openSession: undefined })
    return 'sent'
  }
}

/** As many as one call takes. An on is never parted from its off: alone it would open a session that is over. */
function nextLetter(waiting: readonly WaitingChange[]): readonly WaitingChange[] {
  const letter = waiting.slice(0, MOST_CHANGES_AT_ONCE)
  const lastOff = letter.findLastIndex(({ to }) => to === 'off')
  const isCut = waiting.length > letter.length && lastOff >= 0
  return isCut ? letter.slice(0, lastOff + 1) : letter
}

async function post(letter: readonly WaitingChange[]): Promise<Outcome> {
  const [only] = letter
  if (only && letter.length === 1) return postOne(only)
  const { refused, openSession } = await apiWhenSent(replaySwitches, (userId) => ({
    sentAt: sendingAs(userId, letter),
    changes: letter.map(({ to, sessionId, timeZone, actedAt }) =>
      to === 'on' ? { to, sessionId, timeZone, actedAt: text(actedAt) } : { to, sessionId, actedAt: text(actedAt) },
    ),
  }))
  const isTaken = ({ to, sessionId }: WaitingChange) =>
    !refused.some((other) => other.to === to && other.sessionId === sessionId)
  return { taken: letter.filter(isTaken), openSession, refusedWith: refused.map(({ code }) => code) }
}

async function postOne(change: WaitingChange): Promise<Outcome> {
  const { sessionId, timeZone, to } = change
  const times = (userId: string | undefined) => ({
    actedAt: text(change.actedAt),
    sentAt: sendingAs(userId, [change]),
  })
  if (to === 'off') {
    await apiWhenSent(stopFocus, (userId) => ({ sessionId, times: times(userId) }))
    return { taken: [change], openSession: undefined, refusedWith: [] }
  }
  const { session } = await apiWhenSent(startFocus, (userId) => ({ sessionId, timeZone, times: times(userId) }))
  return { taken: [change], openSession: session.endedAt === null ? session : undefined, refusedWith: [] }
}

/** Now, for changes that are that person's. Nobody's switches go out under another person's name. */
function sendingAs(userId: string | undefined, letter: readonly WaitingChange[]): string {
  if (letter.some((change) => change.userId !== userId)) throw new Error('Somebody else is signed in by now.')
  return text(Date.now())
}

function text(ms: number): string {
  return new Date(ms).toISOString()
}

function showFailure(codes: readonly string[]): void {
  const description = codes.includes('too_many_sessions')
    ? `A day has at most ${MAX_SESSIONS_PER_DAY} sessions. Start again on the next day.`
    : 'Failed to toggle deeb mode'
  showToast({ title: 'Error', description, tone: 'destructive' })
}

async function underLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Pages that are not served safely have no locks.
  if (!navigator.locks) return work()
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    return await navigator.locks.request(name, { signal: patience }, work)
  } catch (error) {
    if (error !== patience.reason) throw error
    return navigator.locks.request(name, { steal: true }, work)
  }
}

function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    work.then(resolve, reject)
    AbortSignal.timeout(ms).addEventListener('abort', () => reject(new Error('This takes too long.')))
  })
}
