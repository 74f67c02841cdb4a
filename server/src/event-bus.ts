/** That something has changed; what it is now is read from the database by whoever has to tell it. */
export type News =
  /** Somebody's switch. */
  | { kind: 'presence'; userId: string }
  /** Somebody's connections or the requests to them. */
  | { kind: 'team'; userId: string }
  /** A session ended, or is good for less than before. */
  | { kind: 'session'; sessionId: string }
  /** Other news may have been lost. */
  | { kind: 'missed' }

/** Announce after the commit, never inside: nobody must hear of what is then rolled back. */
export type Announce = (news: News) => void

/** Carries news to every process that serves this database, this one included, where it arrives at once. */
export interface EventBus {
  publish: Announce
  /** Returns what ends the subscription. */
  subscribe(hear: (news: News) => void): () => void
}

/** For one process alone, and the part of any bus that stays in it. */
export function createLocalBus(): EventBus {
  const hearers = new Set<(news: News) => void>()
  return {
    publish(news) {
      for (const hear of hearers) hear(news)
    },
    subscribe(hear) {
      hearers.add(hear)
      return () => void hearers.delete(hear)
    },
  }
}
