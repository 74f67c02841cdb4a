import { type RefObject, useLayoutEffect, useRef } from 'react'
import { prefersReducedMotion } from './motion.ts'

const TIMING = { duration: 200, easing: 'ease-out' }

/** Animates the children of a list to their new positions. They are identified by `data-key`. */
export function useGlidingRows(list: RefObject<HTMLElement | null>): void {
  const before = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])].filter((row) => row instanceof HTMLElement)
    const tops = new Map(rows.map((row) => [row.dataset.key ?? '', row.offsetTop]))
    for (const row of prefersReducedMotion() ? [] : rows) {
      const moved = (before.current.get(row.dataset.key ?? '') ?? row.offsetTop) - row.offsetTop
      if (moved !== 0) row.animate([{ translate: `0 ${moved}px` }, {}], TIMING)
    }
    before.current = tops
  })
}
