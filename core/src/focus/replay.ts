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
import { capOf } from './session.ts'

/** A press of the switch that the server hears of later; `at` by the server's clock, a whole second. */
export type QueuedSwitch =
  | { to: 'on'; sessionId: string; timeZone: string; at: Date }
  | { to: 'off'; sessionId: string; at: Date }

type On = QueuedSwitch & { to: 'on' }
type Off = QueuedSwitch & { to: 'off' }

/**
 * A history as it becomes by changes that one device made, in their order. Nothing that was counted is counted again: of
 * what a device tells, only the part counts that no session has yet. A change that is repeated changes nothing, unless it is
 * an on that is now earlier; see `beginEarlier`.
 *
 * An on and its off that come together are a piece of the past, put where there is room:
 *
 *     before           [===]       [==]
 *     told         on |------------------| off
 *     after        [==][===][=====][==][=]       the last piece has the id
 *
 * A device has one switch: the off of an on is the next one, whatever that names, which it ends as well. An on whose off
 * is still to come is deeb mode until now, and goes on; see `begin`. What 16 hours were not long enough for is cut there.
 * `newId` gives the pieces their ids.
 */
export function replay(history: History, changes: readonly QueuedSwitch[], now: Date, newId: () => string) {
  let after = withoutOverdue(history, now)
  for (const [n, change] of changes.entries()) {
    const { sessionId } = change
    if (change.to === 'off') {
      after = end(after, sessionId, change.at)
      continue
    }
    const off = offAfter(changes, n)
    if (!sessionNamed(after, sessionId)) {
      after = off ? addPiece(after, change, off.at, newId) : begin(after, change, now, newId)
      continue
    }
    after = beginEarlier(after, change, off, now, newId)
    // What it opened by itself is over. What it is only a second name of is another device's, and ended by name.
    const isOwn = after.sessions.some(({ id }) => id === sessionId)
    if (off && isOwn) after = end(after, sessionId, off.at)
  }
  return after
}

/** The time that changes can add to sessions: from each on to its off, or without end. */
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

/** An open session that nobody has got round to ending at its 16 hours has ended there. */
function withoutOverdue(history: History, now: Date): History {
  const open = openSessionOf(history)
  if (!open || capOf(open.startedAt) > now) return history
  return withSession(history, { ...open, endedAt: capOf(open.startedAt), isForgotten: true })
}

/**
 * Ends what the id means. The first end stands, but for the one that the server gave a forgotten session: where its person
 * stopped it, before that, it ended.
 */
function end(history: History, sessionId: string, at: Date): History {
  const session = sessionNamed(history, sessionId)
  if (!session) return history
  const { startedAt, endedAt, isForgotten } = session
  if (endedAt && !(isForgotten && at < endedAt)) return history
  const [first, last] = [startedAt, capOf(startedAt)]
  const within = at < first ? first : at > last ? last : at
  return withSession(history, { ...session, endedAt: within, isForgotten: at > last })
}

/**
 * An on that is reported again with an earlier instant, while its session is open: the first report was delayed. A network
 * makes things later and never earlier. The on is taken as if this were its first report.
 *
 *     before             [==]      [====>
 *     reported     on |
 *     after           [==][==][=========>
 */
function beginEarlier(history: History, on: On, off: Off | undefined, now: Date, newId: () => string): History {
  const session = sessionNamed(history, on.sessionId)
  if (!session || session.endedAt || on.at >= session.startedAt) return history
  if (session.id !== on.sessionId) {
    // The id stays a second name: only the time before the session can be new.
    const endedAt = earliest(session.startedAt, off?.at ?? now, capOf(on.at))
    return fill(history, gapsBetween(history, { startedAt: on.at, endedAt }), on.timeZone, newId)
  }
  // One that begins after now is there because the server's clock was set back: it follows another.
  if (session.startedAt > now) return history
  const before = withoutSession(history, session)
  const again = { ...on, timeZone: session.timeZone }
  return off ? addPiece(before, again, off.at, newId) : begin(before, again, now, newId)
}

function addPiece(history: History, { sessionId, timeZone, at }: On, offAt: Date, newId: () => string): History {
  const cap = capOf(at)
  const gaps = gapsBetween(history, { startedAt: at, endedAt: earliest(offAt, cap) })
  const last = gaps.pop()
  const filled = fill(history, gaps, timeZone, newId)
  // Nothing of it was new. The id stays known, so that its off, told again, does not end anything else.
  if (!last) return withSession(filled, { ...piece(sessionId, timeZone, at), isDiscarded: true })
  const isForgotten = offAt > cap && last.endedAt.getTime() === cap.getTime()
  return withSession(filled, { ...piece(sessionId, timeZone, last.startedAt, last.endedAt), isForgotten })
}

/**
 * Deeb mode from then until now, and on. What is free before the last session that ended is filled; the open one follows.
 *
 *     before           [===]                now
 *     told         on |----------------------|-->
 *     after        [==][===][================|==>     the open one has the id
 *
 * If a session is open already, the id becomes its second name.
 *
 *     before           [===]    [============|==>
 *     told         on |----------------------|-->
 *     after        [==][===][==][============|==>
 */
function begin(history: History, on: On, now: Date, newId: () => string): History {
  const { sessionId, timeZone, at } = on
  const open = openSessionOf(history)
  const cap = capOf(at)
  if (cap <= now && !(open && open.startedAt <= cap)) return addPiece(history, on, now, newId)

  const startsAt = open ? open.startedAt : lastEnd(history, at)
  const gaps = gapsBetween(history, { startedAt: at, endedAt: earliest(startsAt, now) })
  const filled = fill(history, gaps, timeZone, newId)
  if (open) return { ...filled, aliases: new Map(filled.aliases).set(sessionId, open.id) }
  return withSession(filled, { ...piece(sessionId, timeZone, startsAt), endedAt: null })
}

function fill(history: History, gaps: Span[], timeZone: string, newId: () => string): History {
  // All at once: there may be as many as there are seconds in 16 hours.
  const pieces = gaps.map(({ startedAt, endedAt }) => piece(newId(), timeZone, startedAt, endedAt))
  return { ...history, sessions: [...history.sessions, ...pieces] }
}

/** A session that has ended; an empty one without an end. */
function piece(id: string, timeZone: string, startedAt: Date, endedAt = startedAt): PastSession {
  return { id, startedAt, endedAt, timeZone, isForgotten: false, isDiscarded: false }
}

/** When the last session ends that ends after an instant; else that instant. */
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
