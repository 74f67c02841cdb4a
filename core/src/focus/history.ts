/** A session as late changes need to know it. */
export interface PastSession {
  id: string
  startedAt: Date
  /** Null while it is open. */
  endedAt: Date | null
  timeZone: string
  /** Ended after 16 hours, and its person has not said what to make of it. */
  isForgotten: boolean
  /** An empty row that keeps an id which must not open anything again. */
  isDiscarded: boolean
}

/** A person's sessions from somewhere on, none of which overlap, and the second names of some. */
export interface History {
  sessions: readonly PastSession[]
  /** A start's id, and the session that it was answered with. */
  aliases: ReadonlyMap<string, string>
}

/** The session that an id means, by its first or its second name. */
export function sessionNamed({ sessions, aliases }: History, id: string): PastSession | undefined {
  return sessions.find((session) => session.id === id) ?? sessions.find((session) => session.id === aliases.get(id))
}

export function openSessionOf({ sessions }: History): PastSession | undefined {
  return sessions.find((session) => session.endedAt === null)
}

/** The history with that session in it, in place of the one of the same id if there is one. */
export function withSession(history: History, session: PastSession): History {
  return { ...history, sessions: [...history.sessions.filter(({ id }) => id !== session.id), session] }
}

/** Such a session takes no time from others, wherever it lies. */
export function isEmpty({ startedAt, endedAt }: PastSession): boolean {
  return endedAt?.getTime() === startedAt.getTime()
}

export interface Span {
  startedAt: Date
  endedAt: Date
}

/**
 * The parts of a span that no session has, in the order of time; none of them empty.
 *
 *     sessions         [====]        [==]     [====>
 *     span         |---------------------------|
 *     gaps         |---|    |--------|  |-----|
 */
export function gapsBetween({ sessions }: History, { startedAt, endedAt }: Span): Span[] {
  const gaps: Span[] = []
  let from = startedAt
  for (const session of sessions.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())) {
    if (isEmpty(session) || (session.endedAt && session.endedAt <= from)) continue
    if (session.startedAt >= endedAt) break
    if (session.startedAt > from) gaps.push({ startedAt: from, endedAt: session.startedAt })
    if (session.endedAt === null) return gaps
    from = session.endedAt
  }
  if (from < endedAt) gaps.push({ startedAt: from, endedAt })
  return gaps
}
