import * as texts from '@deeb/texts/home'
import { Component, type ComponentType, type ReactNode } from 'react'
import { NotLoaded } from '../device/lazy-screen.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'

interface Props {
  /** The frame around the failure, if it is not within one. */
  Frame?: ComponentType<{ title: string; children: ReactNode }>
  children: ReactNode
}

/** Error boundary: shows a failure in place of a screen that could not be loaded or rendered. React requires a class. */
export class LoadBoundary extends Component<Props, { errors: unknown[] }> {
  override state = { errors: [] }

  static getDerivedStateFromError(error: unknown) {
    return { errors: [error] }
  }

  override render() {
    const { errors } = this.state
    const { Frame, children } = this.props
    if (errors.length === 0) return children
    const isLoading = (errors[0] as unknown) instanceof NotLoaded
    const title = isLoading ? texts.screenFailed() : texts.screenBroke()
    const shown = (
      <LoadFailure
        title={title}
        description={isLoading ? undefined : texts.screenBrokeHint()}
        onRetry={() => window.location.reload()}
      />
    )
    return Frame ? <Frame title={title}>{shown}</Frame> : shown
  }
}
