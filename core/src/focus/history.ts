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

/** What changes need to know of a person's sessions. None overlap. */
export interface History {
  /** The open session and those that the changes name; later also those that they add. */
  sessions: readonly PastSession[]
  /** A start's id, and the session that it was answered with. */
  aliases: ReadonlyMap<string, string>
  /** The time of all other sessions, at least where the changes reach (`reachOf`). No change moves these. */
  taken: readonly Span[]
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
  const { sessions } = withoutSession(history, session)
  return { ...history, sessions: [...sessions, session] }
}

export function withoutSession(history: History, { id }: PastSession): History {
  return { ...history, sessions: history.sessions.filter((session) => session.id !== id) }
}

/** Such a session takes no time from others, wherever it lies. */
export function isEmpty({ startedAt, endedAt }: Pick<PastSession, 'startedAt' | 'endedAt'>): boolean {
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
export function gapsBetween({ sessions, taken }: History, { startedAt, endedAt }: Span): Span[] {
  const between = [...taken, ...sessions].filter(
    (other) => other.startedAt < endedAt && (other.endedAt ?? endedAt) > startedAt && !isEmpty(other),
  )
  const gaps: Span[] = []
  let from = startedAt
  // Only what lies between is sorted: this runs once for each change.
  for (const other of between.sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime())) {
    if (other.startedAt > from) gaps.push({ startedAt: from, endedAt: other.startedAt })
    from = other.endedAt ?? endedAt
  }
  if (from < endedAt) gaps.push({ startedAt: from, endedAt })
  return gaps
}
