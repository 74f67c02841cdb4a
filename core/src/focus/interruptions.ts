/** A press of `interrupted?` that counts in a session. */
export interface CountedPress {
  sessionId: string
  pressId: string
}

/** A press of `interrupted?` or, for `undo`, of the `Undo` that takes this press back. */
export interface PendingPress extends CountedPress {
  to: 'interrupted' | 'undo'
}

/** The presses that count once the pending ones are sent. Idempotent: pending ones that the server already has change nothing. */
export function withPresses(counted: readonly CountedPress[], pending: readonly PendingPress[]): CountedPress[] {
  const undone = new Set(pending.filter(({ to }) => to === 'undo').map(({ pressId }) => pressId))
  const pressed = [...counted, ...pending].map(({ sessionId, pressId }) => [pressId, { sessionId, pressId }] as const)
  return [...new Map(pressed).values()].filter(({ pressId }) => !undone.has(pressId))
}
