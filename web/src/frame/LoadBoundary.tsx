import * as texts from '@deeb/texts/home'
import { Component, type ReactNode } from 'react'
import { LoadFailure } from '../ui/LoadFailure.tsx'

/** Error boundary: shows a failure in place of a screen that could not be loaded or rendered. React requires a class. */
export class LoadBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div className="flex min-h-dvh flex-col">
        <LoadFailure title={texts.screenFailed()} onRetry={() => window.location.reload()} />
      </div>
    )
  }
}
