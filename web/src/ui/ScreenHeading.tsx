import { type ReactNode, useEffect, useRef } from 'react'

/** Whether a heading was shown before: the first screen leaves the focus where the browser has it. */
let isFirst = true

/**
 * A screen's one `h1`. Whoever comes from another screen, or from what stood in its place, has lost the focus with it: then
 * it is put here, so that a screen reader reads it and the keyboard goes on from there. Never taken from anything else.
 */
export function ScreenHeading({ className, children }: { className: string; children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (!isFirst && isLost) {
      window.scrollTo(0, 0)
      ref.current?.focus({ preventScroll: true })
    }
    isFirst = false
  }, [])
  return (
    <h1 ref={ref} tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </h1>
  )
}

/** For when what had the focus is gone and nothing takes its place. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus()
}
