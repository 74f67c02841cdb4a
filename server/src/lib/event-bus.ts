/** The kind of a change. Its id is that of a user, except for `sign` and `session`. */
type ChangeKind =
  /** A user switched deeb mode, or changed until when. */
  | 'presence'
  /** A user corrected earlier sessions. For their own devices only. */
  | 'history'
  /** A user said that they are still in deeb mode. For their own devices only. */
  | 'still-on'
  /** Somebody for whom a user waits is free, or they wait for somebody else. For their own devices only. */
  | 'alerts'
  /** A user's connections, or the requests to them, changed. */
  | 'team'
  /** A door sign was revoked, or what it may show has changed. */
  | 'sign'
  /** An auth session ended, or lost some of its rights. The same for a personal access token. */
  | 'session'

/** A change, by an id only: the subscriber reads the current state from the database. */
export interface Change {
  kind: ChangeKind
  id: string
}

/** A change notification. `missed`: events may have been lost. */
export type ChangeEvent = Change | { kind: 'missed' }

/** Publishes a change. Call it after the commit: a change that is rolled back must not be published. */
export type Publish = (event: ChangeEvent) => void

/**
 * Carries change events to every process that serves this database. Listeners in the same process are called immediately.
 */
export interface EventBus {
  publish: Publish
  /** Returns the function that ends the subscription. */
  subscribe(onEvent: (event: ChangeEvent) => void): () => void
  /** Whether events of other processes arrive now, and how often they have not since the start. */
  state(): { isListening: boolean; gaps: number }
}

/** An event bus that other processes share. */
export interface SharedBus extends EventBus {
  close(): Promise<void>
}

/** An event bus within one process. */
export function createLocalBus(): EventBus {
  const listeners = new Set<(event: ChangeEvent) => void>()
  return {
    publish(event) {
      for (const onEvent of listeners) onEvent(event)
    },
    subscribe(onEvent) {
      listeners.add(onEvent)
      return () => void listeners.delete(onEvent)
    },
    state: () => ({ isListening: true, gaps: 0 }),
  }
}
