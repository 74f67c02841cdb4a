import type { ReactNode } from 'react'

/**
 * A last word and its full stop. The stop is drawn as the dot, deeb's one idea; the character stays in the text, so that
 * the sentence is read out and copied whole. The three never part at the end of a line.
 */
export function Stopped({ children }: { children: ReactNode }) {
  return (
    <span className="whitespace-nowrap">
      {children}
      <span className="stop-text">.</span>
      <span className="stop" aria-hidden="true" />
    </span>
  )
}

/** `first` in a display size: its f keeps clear of the i. */
export function First() {
  return (
    <>
      <span className="clear-f">f</span>irst
    </>
  )
}
