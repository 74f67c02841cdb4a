import * as texts from '@deeb/texts/home'
import { Component, type ReactNode } from 'react'
import { NotLoaded } from '../device/lazy-screen.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'

interface Props {
  /** Whether a frame with header and bar is around it. */
  isFramed?: boolean
  children: ReactNode
}

/** Error boundary: shows a failure in place of what could not be loaded, or not be rendered. React requires a class. */
export class LoadBoundary extends Component<Props, { failure: unknown }> {
  override state = { failure: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { failure: error ?? true }
  }

  override render() {
    const { failure } = this.state
    if (failure === undefined) return this.props.children
    const shown =
      (failure as object) instanceof NotLoaded ? (
        <LoadFailure title={texts.screenFailed()} onRetry={reload} />
      ) : (
        <LoadFailure title={texts.screenBroke()} description={texts.screenBrokeHint()} onRetry={reload} />
      )
    return this.props.isFramed ? shown : <div className="flex min-h-dvh flex-col">{shown}</div>
  }
}

function reload(): void {
  window.location.reload()
}
