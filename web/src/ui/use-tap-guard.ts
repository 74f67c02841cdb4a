import { type RefObject, useLayoutEffect, useRef } from 'react'

const GUARD_MS = 400

/**
 * Ignores taps on a list for a moment after a row was removed: another row has moved under the finger, and a double tap must
 * not answer for it. `count` is the number of rows.
 */
export function useTapGuard(list: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count)
  useLayoutEffect(() => {
    const { style } = list.current ?? {}
    const isRemoval = count < before.current
    before.current = count
    if (!style || !isRemoval) return
    const acceptTaps = () => {
      style.pointerEvents = ''
    }
    style.pointerEvents = 'none'
    const timer = setTimeout(acceptTaps, GUARD_MS)
    return () => {
      clearTimeout(timer)
      acceptTaps()
    }
  }, [list, count])
}
