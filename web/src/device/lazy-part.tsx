import { type ComponentType, lazy, Suspense } from 'react'

/** A part that a screen works without: loaded when it is shown for the first time, and left out if that fails. */
export function lazyPart<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Part = lazy(() => load().catch(() => ({ default: (_: Props) => null })))
  return (props: Props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}
