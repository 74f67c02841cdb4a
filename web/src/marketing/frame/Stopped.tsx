import type { ReactNode } from 'react'

/**
 * A last word and its full stop, drawn as a dot. The character stays in the text, for screen readers and for copying. Word,
 * character and dot are never on different lines.
 */
export function Stopped({ children }: { children: ReactNode }) {
  return (
    <span className="stopped">
      {children}
      <span className="stop-text">.</span>
      <span className="stop" aria-hidden="true" />
    </span>
  )
}
