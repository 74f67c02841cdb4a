import { useLayoutEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from './motion.ts'

const TIMING = { duration: 600, easing: 'cubic-bezier(.2,.8,.2,1)' }

/**
 * Animates a number from its last value to `target` in 600 ms, at first from 0, with the easing of the ring's first paint.
 * Static markup shows `target` immediately.
 */
export function useCounted(target: number): number {
  const [shown, setShown] = useState(target)
  const last = useRef(0)

  useLayoutEffect(() => {
    const from = last.current
    const show = (count: number) => {
      last.current = count
      setShown(count)
    }
    if (from === target || prefersReducedMotion()) return show(target)

    // An animation without an element: the browser computes the easing.
    const curve = new KeyframeEffect(null, null, TIMING)
    const animation = new Animation(curve)
    const step = () => {
      const progress = animation.playState === 'finished' ? 1 : (curve.getComputedTiming().progress ?? 0)
      show(Math.round(from + (target - from) * progress))
      if (progress < 1) frame = requestAnimationFrame(step)
    }
    animation.play()
    show(from)
    let frame = requestAnimationFrame(step)
    return () => {
      cancelAnimationFrame(frame)
      animation.cancel()
    }
  }, [target])

  return shown
}
