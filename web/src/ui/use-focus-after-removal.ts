import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * When the row of a list that has the focus is taken away, the keyboard goes on in the row that takes its place, or in the
 * one before; of an empty list, in what `otherwise` selects. What lost the focus while its row was moved has it again. Called
 * by the component that draws the list.
 */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, otherwise: string): void {
  /** What has the focus, and in which row of the list; null while it is elsewhere. */
  const held = useRef<{ element: HTMLElement; index: number } | null>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const rows = [...(list.current?.children ?? [])]
      const index = rows.findIndex((row) => target instanceof Node && row.contains(target))
      held.current = target instanceof HTMLElement && index >= 0 ? { element: target, index } : null
    }
    // Whoever presses beside everything takes the focus away on purpose.
    const forget = () => {
      if (document.activeElement === document.body) held.current = null
    }
    document.addEventListener('focusin', note)
    document.addEventListener('click', forget)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('click', forget)
    }
  }, [list])
  useLayoutEffect(() => {
    if (held.current === null || document.activeElement !== document.body) return
    const { element, index } = held.current
    if (element.isConnected) return element.focus()
    const rows = list.current?.children ?? []
    const next = rows[Math.min(index, rows.length - 1)]?.querySelector('button') ?? document.querySelector(otherwise)
    if (next instanceof HTMLElement) next.focus()
  })
}
