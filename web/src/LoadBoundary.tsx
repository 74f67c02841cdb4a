import { Component, type ReactNode } from 'react'
import { TextButton } from './ui/TextLink.tsx'

/** Stands in for a screen that could not be loaded or drawn. A class, since React has no other way to catch it. */
export class LoadBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <main className="column flex min-h-dvh flex-col items-start justify-center">
        <h1 className="text-title">This screen could not be loaded</h1>
        <p className="mt-2 text-body text-soft">Nothing is lost. Check your connection and try again.</p>
        <TextButton onClick={() => window.location.reload()}>Try again</TextButton>
      </main>
    )
  }
}
