import { type RefObject, useLayoutEffect, useRef } from 'react'

const STILL_MS = 400

/**
 * When a row of a list is taken away, another comes under the finger that pressed it: for a moment the list takes no press,
 * so that the second tap of two answers for nobody else. `count` is how many rows there are.
 */
export function useStillAfterRemoval(list: RefObject<HTMLElement | null>, count: number): void {
  const before = useRef(count)
  useLayoutEffect(() => {
    const { style } = list.current ?? {}
    const isRemoval = count < before.current
    before.current = count
    if (!style || !isRemoval) return
    const takePresses = () => {
      style.pointerEvents = ''
    }
    style.pointerEvents = 'none'
    const timer = setTimeout(takePresses, STILL_MS)
    return () => {
      clearTimeout(timer)
      takePresses()
    }
  }, [list, count])
}
