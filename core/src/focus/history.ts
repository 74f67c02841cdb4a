/** A focus session as the replay rule needs it. */
export interface PastSession {
  id: string
  startedAt: Date
  /** Null while it is open. */
  endedAt: Date | null
  timeZone: string
  /** Only in the open session: an ended one has forgotten it. */
  targetMinutes?: number | undefined
  /** The server ended it at 16 hours, and the person has neither kept, corrected nor discarded it yet. */
  isForgotten: boolean
  /** A tombstone (soft delete): an empty row that keeps the id, so that a replay cannot open the session again. */
  isDiscarded: boolean
}

/** A person's focus sessions, as the input and output of a replay. No two of them overlap. */
export interface History {
  /** Sessions that a replay may change: the open one and those that the queued switches name. It adds new ones. */
  sessions: readonly PastSession[]
  /** From the id of an on that found a session open (alias) to the id of that session. */
  aliases: ReadonlyMap<string, string>
  /** The time of all other sessions, at least within `reachOf`. A replay does not change these. */
  taken: readonly Span[]
}

/** The session with this id or this alias. */
export function sessionNamed({ sessions, aliases }: History, id: string): PastSession | undefined {
  return sessions.find((session) => session.id === id) ?? sessions.find((session) => session.id === aliases.get(id))
}

export function openSessionOf({ sessions }: History): PastSession | undefined {
  return sessions.find((session) => session.endedAt === null)
}

/** Adds a session, or replaces the session of the same id. */
export function withSession(history: History, session: PastSession): History {
  const { sessions } = withoutSession(history, session)
  return { ...history, sessions: [...sessions, session] }
}

export function withoutSession(history: History, { id }: PastSession): History {
  return { ...history, sessions: history.sessions.filter((session) => session.id !== id) }
}

/** Whether a session has no length. An empty session covers no time, so it may be inside another. */
export function isEmpty({ startedAt, endedAt }: Pick<PastSession, 'startedAt' | 'endedAt'>): boolean {
  return endedAt?.getTime() === startedAt.getTime()
}

export interface Span {
  startedAt: Date
  endedAt: Date
}

/**
 * The gaps in a span: its parts that no session covers, in chronological order. None is empty.
 *
 *     sessions         [====]        [==]     [====>
 *     span         |---------------------------|
 *     gaps         |---|    |--------|  |-----|
 */
export function gapsBetween({ sessions, taken }: History, { startedAt, endedAt }: Span): Span[] {
  const between = [...taken, ...sessions].filter(
    (other) => other.startedAt < endedAt && (other.endedAt ?? endedAt) > startedAt && !isEmpty(other),
  )
  const gaps: Span[] = []
  let from = startedAt
  // Sorts only the sessions inside the span, since this runs once per queued switch.
  for (const other of between.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime())) {
    if (other.startedAt > from) gaps.push({ startedAt: from, endedAt: other.startedAt })
    from = other.endedAt ?? endedAt
  }
  if (from < endedAt) gaps.push({ startedAt: from, endedAt })
  return gaps
}
