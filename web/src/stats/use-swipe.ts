import { type PointerEvent, type RefObject, useRef } from 'react'
import { prefersReducedMotion } from '../ui/motion.ts'
import type { WeekSteps } from './use-week-steps.ts'

/** From here on a touch is a swipe, if it is more horizontal than vertical. */
const SLOP_PX = 10
/** A swipe of this length changes the week. */
const ENOUGH_PX = 48
/** Touches that begin this close to the edge belong to the system's gesture for Back. */
const EDGE_PX = 24

interface Touch {
  id: number
  x: number
  y: number
  isSwipe: boolean
}

/**
 * Touch handlers that show the week before (finger to the right) or after. `moved` follows the finger at half its speed, and
 * hardly at all where no week follows. The element needs `touch-action: pan-y pinch-zoom`.
 */
export function useSwipe(moved: RefObject<HTMLElement | null>, { can, go, prepare }: WeekSteps) {
  const touch = useRef<Touch | null>(null)

  function begin(event: PointerEvent): void {
    const { clientX: x, clientY: y, pointerId: id } = event
    const isAtEdge = x < EDGE_PX || x > window.innerWidth - EDGE_PX
    // On a zoomed page, a finger moves the page.
    const isZoomed = (window.visualViewport?.scale ?? 1) > 1.05
    const isSecond = touch.current !== null
    end()
    if (event.pointerType === 'touch' && !isAtEdge && !isZoomed && !isSecond)
      touch.current = { id, x, y, isSwipe: false }
  }

  function move(event: PointerEvent): void {
    const now = touch.current
    if (now?.id !== event.pointerId) return
    const [right, down] = [event.clientX - now.x, event.clientY - now.y]
    const step = right > 0 ? 'earlier' : 'later'
    if (!now.isSwipe) {
      if (Math.hypot(right, down) < SLOP_PX) return
      now.isSwipe = Math.abs(right) > Math.abs(down)
      if (now.isSwipe) prepare(step)
      else touch.current = null
    }
    if (!now.isSwipe) return
    if (moved.current) moved.current.style.translate = `${right * (can[step] ? 0.5 : 0.1)}px 0`
  }

  function lift(event: PointerEvent): void {
    const now = touch.current
    if (now?.id !== event.pointerId) return
    const right = event.clientX - now.x
    end()
    if (now.isSwipe && Math.abs(right) >= ENOUGH_PX) go(right > 0 ? 'earlier' : 'later')
  }

  function end(): void {
    touch.current = null
    const element = moved.current
    if (!element?.style.translate) return
    const from = element.style.translate
    element.style.translate = ''
    if (!prefersReducedMotion()) element.animate([{ translate: from }, {}], { duration: 200, easing: 'ease-out' })
  }

  return { onPointerDown: begin, onPointerMove: move, onPointerUp: lift, onPointerCancel: end }
}
