import { type ReactNode, useEffect, useRef } from 'react'

/** The path of the last screen whose heading was shown. */
let lastPath: string | undefined

/**
 * A screen's one `h1`. Whoever comes from another screen has the focus put on it, so that a screen reader reads it and the
 * keyboard goes on from there; the first screen leaves the focus where the browser has it.
 */
export function ScreenHeading({ className, children }: { className: string; children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const path = window.location.pathname
    if (lastPath !== undefined && lastPath !== path) {
      window.scrollTo(0, 0)
      ref.current?.focus({ preventScroll: true })
    }
    lastPath = path
  }, [])
  return (
    <h1 ref={ref} tabIndex={-1} className={`outline-none ${className}`}>
      {children}
    </h1>
  )
}
