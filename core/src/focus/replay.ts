/*
 * The replay rule: how queued switches change a person's history of focus sessions.
 *
 *     switch           one press of the button: on or off, with a session id that the client made
 *     queued switch    a switch that reaches the server late, mostly because the device was offline
 *     replay           applies the queued switches of one device to the history, in order
 *     gap              time that no session covers
 *     piece            an ended session that a replay adds; it fills one gap
 *     alias            a second id of an open session: the id of an on that found this session open
 *     cap              16 hours after the start; every session is clipped there
 *     forgotten        ended at its cap without an off, and not yet corrected by the person
 *     target           how long the open session is meant to be; kept until it ends
 *     tombstone        an empty row that keeps the id of a session, so that the id cannot open one again
 */
import {
  gapsBetween,
  type History,
  isEmpty,
  openSessionOf,
  type PastSession,
  type Span,
  sessionNamed,
  withoutSession,
  withSession,
} from './history.ts'
import { capOf, wholeSecond } from './session.ts'

/** A switch that reaches the server late. `at` is a whole second of the server's clock. */
export type QueuedSwitch =
  | { to: 'on'; sessionId: string; timeZone: string; at: Date; targetMinutes?: number | undefined }
  | { to: 'off'; sessionId: string; at: Date }

type On = QueuedSwitch & { to: 'on' }
type Off = QueuedSwitch & { to: 'off' }

/**
 * Replays switches that one device queued offline, in order, and returns the new history. Only time that no session covers yet
 * is added, so a replay is idempotent. The exception is an on with an earlier `at` than before: see `moveStartBack`.
 *
 * An on and its off in the same replay fill the gaps between them with pieces. In a conflict (an overlap) the session that is
 * already in the history wins:
 *
 *     before           [===]       [==]
 *     replayed  on |---------------------| off
 *     after        [==][===][=====][==][=]        the last piece gets the id of the on
 *
 * The off of an on is the next off, whichever session that names: a device has one switch. That off also ends the session
 * that it names. An on without an off is still on: see `startSession`. Sessions are clipped at the cap.
 * `newId` makes the ids of the other pieces.
 */
export function replay(history: History, changes: readonly QueuedSwitch[], at: Date, newId: () => string) {
  // A session that begins after now, as when the server's clock was set back, is cut here too.
  const now = wholeSecond(at)
  let after = endOverdue(history, now)
  for (const [n, change] of changes.entries()) {
    const { sessionId } = change
    if (change.to === 'off') {
      after = endSession(after, sessionId, change.at)
      continue
    }
    const off = offAfter(changes, n)
    if (!sessionNamed(after, sessionId)) {
      after = off ? addPieces(after, change, off.at, newId) : startSession(after, change, now, newId)
      continue
    }
    after = moveStartBack(after, change, off, now, newId)
    // The off ends a session that this on opened. If the id is only an alias, an off must name it to end the session.
    const isOwn = after.sessions.some(({ id }) => id === sessionId)
    if (off && isOwn) after = endSession(after, sessionId, off.at)
  }
  return after
}

/** The spans in which a replay can add time: from each on to its off, or without an end. */
export function reachOf(changes: readonly QueuedSwitch[]): { startedAt: Date; endedAt: Date | null }[] {
  return changes.flatMap((change, n) => {
    if (change.to === 'off') return []
    const off = offAfter(changes, n)
    if (off && off.at <= change.at) return []
    return [{ startedAt: change.at, endedAt: off ? off.at : null }]
  })
}

function offAfter(changes: readonly QueuedSwitch[], n: number): Off | undefined {
  return changes.slice(n + 1).find((change) => change.to === 'off')
}

/** Ends an open session older than 16 hours at its cap. The periodic job of the server may not have ended it yet. */
function endOverdue(history: History, now: Date): History {
  const open = openSessionOf(history)
  if (!open || capOf(open.startedAt) > now) return history
  return withSession(history, ended(open, capOf(open.startedAt), true))
}

/** A session with its end. Its target is forgotten, so that nobody can compare plan and fact. */
function ended(session: PastSession, endedAt: Date, isForgotten: boolean): PastSession {
  return { ...session, endedAt, isForgotten, targetMinutes: undefined }
}

/**
 * Ends the session with this id or alias, clipped to between its start and its cap. Idempotent: the first end wins. The end
 * of a forgotten session was only assumed, so an earlier off replaces it.
 */
function endSession(history: History, sessionId: string, at: Date): History {
  const session = sessionNamed(history, sessionId)
  if (!session) return history
  const { startedAt, endedAt, isForgotten } = session
  if (endedAt && !(isForgotten && at < endedAt)) return history
  const [first, last] = [startedAt, capOf(startedAt)]
  const clipped = at < first ? first : at > last ? last : at
  return withSession(history, ended(session, clipped, at > last))
}

/**
 * Moves the start of an open session back when its on is replayed with an earlier `at`. The on is replayed as if for the
 * first time.
 *
 *     before           [==]     [====>
 *     replayed  on |
 *     after        [==][==][=========>
 *
 * `at` is computed from the arrival of a request (`instantOf`). So a network delay only makes it too late, never too early.
 */
function moveStartBack(history: History, on: On, off: Off | undefined, now: Date, newId: () => string): History {
  const session = sessionNamed(history, on.sessionId)
  if (!session || session.endedAt || on.at >= session.startedAt) return history
  if (session.id !== on.sessionId) {
    // The id is an alias and stays one: only time before the session can be new.
    const endedAt = earliest(session.startedAt, off?.at ?? now, capOf(on.at))
    return fillGaps(history, gapsBetween(history, { startedAt: on.at, endedAt }), on.timeZone, newId)
  }
  // A start after now was made before the server's clock was set back.
  if (session.startedAt > now) return history
  const before = withoutSession(history, session)
  const again = { ...on, timeZone: session.timeZone, targetMinutes: session.targetMinutes }
  return off ? addPieces(before, again, off.at, newId) : startSession(before, again, now, newId)
}

/** Fills the gaps between an on and its off, clipped at the cap. The last piece gets the id of the on. */
function addPieces(history: History, { sessionId, timeZone, at }: On, offAt: Date, newId: () => string): History {
  const cap = capOf(at)
  const gaps = gapsBetween(history, { startedAt: at, endedAt: earliest(offAt, cap) })
  const last = gaps.pop()
  const filled = fillGaps(history, gaps, timeZone, newId)
  // Without a gap the id becomes a tombstone: a replay of its off then ends no other session.
  if (!last) return withSession(filled, { ...piece(sessionId, timeZone, at), isDiscarded: true })
  const isForgotten = offAt > cap && last.endedAt.getTime() === cap.getTime()
  return withSession(filled, { ...piece(sessionId, timeZone, last.startedAt, last.endedAt), isForgotten })
}

/**
 * Starts a session for an on without an off. It starts where the last ended session ends, and the gaps before that are
 * filled with pieces.
 *
 *     before           [===]                now
 *     replayed  on |-------------------------|-->
 *     after        [==][===][================|==>     the open session gets the id of the on
 *
 * If a session is open already, the id of the on becomes an alias of it.
 *
 *     before           [===]    [============|==>
 *     replayed  on |-------------------------|-->
 *     after        [==][===][==][============|==>
 */
function startSession(history: History, on: On, now: Date, newId: () => string): History {
  const { sessionId, timeZone, at, targetMinutes } = on
  const open = openSessionOf(history)
  const cap = capOf(at)
  if (cap <= now && !(open && open.startedAt <= cap)) return addPieces(history, on, now, newId)

  const startsAt = open ? open.startedAt : lastEnd(history, at)
  const gaps = gapsBetween(history, { startedAt: at, endedAt: earliest(startsAt, now) })
  const filled = fillGaps(history, gaps, timeZone, newId)
  if (open) return { ...filled, aliases: new Map(filled.aliases).set(sessionId, open.id) }
  return withSession(filled, { ...piece(sessionId, timeZone, startsAt), endedAt: null, targetMinutes })
}

function fillGaps(history: History, gaps: Span[], timeZone: string, newId: () => string): History {
  // One copy of the list for all pieces: 16 hours can have as many gaps as seconds.
  const pieces = gaps.map(({ startedAt, endedAt }) => piece(newId(), timeZone, startedAt, endedAt))
  return { ...history, sessions: [...history.sessions, ...pieces] }
}

/** An ended session; an empty one if `endedAt` is left out. */
function piece(id: string, timeZone: string, startedAt: Date, endedAt = startedAt): PastSession {
  return { id, startedAt, endedAt, timeZone, isForgotten: false, isDiscarded: false }
}

/** The latest end of all sessions that end after an instant, or that instant if there are none. */
function lastEnd({ sessions, taken }: History, after: Date): Date {
  let last = after
  for (const span of [...taken, ...sessions]) {
    if (span.endedAt && span.endedAt > last && !isEmpty(span)) last = span.endedAt
  }
  return last
}

function earliest(...instants: Date[]): Date {
  return instants.reduce((first, instant) => (instant < first ? instant : first))
}
