import { type ReactNode, useEffect, useRef } from 'react'

/** Whether no heading was shown before. The first screen does not move the focus. */
let isFirst = true

/**
 * A screen's only `h1`. Gets the focus if the previous screen was removed together with the focused element, so that screen
 * readers and the keyboard continue here. Never takes the focus from another element.
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

/** Focuses the heading. Call it when the focused element was removed without a replacement. */
export function focusHeading(): void {
  document.querySelector('h1')?.focus()
}
