import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Moves the focus when the list row that has it is removed: to the row that takes its place, or to the last one, or, if the list
 * is empty, to the element that `otherwise` selects. An element that lost the focus by a move of its row gets it again.
 * Call it in the component that renders the list.
 */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, otherwise: string): void {
  /** The focused element and the index of its row. Null while the focus is outside the list. */
  const held = useRef<{ element: HTMLElement; index: number } | null>(null)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const rows = [...(list.current?.children ?? [])]
      const index = rows.findIndex((row) => target instanceof Node && row.contains(target))
      held.current = target instanceof HTMLElement && index >= 0 ? { element: target, index } : null
    }
    // A press on the empty page removes the focus on purpose.
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
