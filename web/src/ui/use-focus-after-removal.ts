import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * When the row of a list that has the focus is taken away, the keyboard goes on in the row that takes its place, or in the
 * one before; of an empty list, in what `otherwise` selects. Called by the component that draws the list.
 */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, otherwise: string): void {
  /** Where in the list the focus is; null while it is elsewhere. */
  const place = useRef<number | null>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const rows = [...(list.current?.children ?? [])]
      const index = rows.findIndex((row) => target instanceof Node && row.contains(target))
      place.current = index < 0 ? null : index
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [list])
  useLayoutEffect(() => {
    if (place.current === null || document.activeElement !== document.body) return
    const rows = list.current?.children ?? []
    const row = rows[Math.min(place.current, rows.length - 1)]
    const next = row?.querySelector('button') ?? document.querySelector(otherwise)
    if (next instanceof HTMLElement) next.focus()
  })
}
