import * as texts from '@deeb/texts/common'
import type { ReactNode } from 'react'

type SkeletonProps = {
  shape: 'line' | 'block' | 'pill' | 'circle' | 'ring'
  /** Width and height, `h-4 w-32`. A circle and a ring take their width. */
  className?: string
}

const SHAPE: Record<SkeletonProps['shape'], string> = {
  line: 'rounded-bar bg-line',
  block: 'rounded-card bg-line',
  pill: 'rounded-full bg-line',
  circle: 'aspect-square rounded-full bg-line',
  ring: '',
}

/**
 * A placeholder in the shape of what is loading. It fades in slowly, so that a fast response shows no grey flash, and does not
 * pulse. Hidden from screen readers: put `Loading...` beside it.
 */
export function Skeleton({ shape, className = '' }: SkeletonProps) {
  if (shape === 'ring') return <RingSkeleton className={className} />
  return <span className={`skeleton block ${SHAPE[shape]} ${className}`} aria-hidden="true" />
}

/** A whole screen of skeletons, with `Loading...` for screen readers. */
export function ScreenSkeleton({ className, children }: { className: string; children: ReactNode }) {
  return (
    <main className={className} aria-busy="true">
      <span className="sr-only" role="status">
        {texts.loading()}
      </span>
      {children}
    </main>
  )
}

function RingSkeleton({ className }: { className: string }) {
  return (
    <svg viewBox="0 0 100 100" fill="none" className={`skeleton block ${className}`} aria-hidden="true">
      <circle cx={50} cy={50} r={45.9} strokeWidth={8.2} className="stroke-line" />
    </svg>
  )
}
