import { type RefObject, useLayoutEffect, useRef } from 'react'
import { prefersReducedMotion } from './motion.ts'

/** In sizes of a row, with the gap. */
const NEAR = 1.7
const TIMING = { duration: 200, easing: 'ease-out' }

interface Drawn {
  windowWidth: number
  places: ReadonlyMap<string, { x: number; y: number }>
}

/**
 * Animates the children of a list or grid, which are identified by `data-key`, when their order changes: to the place beside theirs
 * they move, at any other they appear, so that none crosses another. Not after a resize of the window.
 */
export function useGlidingRows(list: RefObject<HTMLElement | null>): void {
  const before = useRef<Drawn>(undefined)
  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])].filter((row) => row instanceof HTMLElement)
    const places = new Map(rows.map((row) => [row.dataset.key ?? '', { x: row.offsetLeft, y: row.offsetTop }]))
    const isGliding = before.current?.windowWidth === window.innerWidth && !prefersReducedMotion()
    for (const row of isGliding ? rows : []) {
      const from = before.current?.places.get(row.dataset.key ?? '')
      const [x, y] = from ? [from.x - row.offsetLeft, from.y - row.offsetTop] : [0, 0]
      if (x === 0 && y === 0) continue
      const isNear = Math.hypot(x / row.offsetWidth, y / row.offsetHeight) < NEAR
      row.animate([isNear ? { translate: `${x}px ${y}px` } : { opacity: 0 }, {}], TIMING)
    }
    before.current = { windowWidth: window.innerWidth, places }
  })
}
