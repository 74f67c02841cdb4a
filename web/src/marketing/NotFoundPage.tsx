import { Logo } from '../ui/Logo.tsx'
import { UnpluggedEar } from './Ear.tsx'

/** Static: what the server sends with status 404. */
export function NotFoundPage() {
  return (
    <div className="not-found">
      <header className="page flex h-18 items-center justify-between md:h-24">
        <a href="/" aria-label="deeb" className="flex min-h-11 items-center">
          <Logo plugs="in" className="h-7 md:h-[35px]" />
        </a>
        <a href="/app" className="flex min-h-11 items-center text-button text-soft">
          sign in
        </a>
      </header>
      <main className="page not-found-main">
        <h1>Oops! Page not found</h1>
        <p className="not-found-lead">the plug fell out. nothing else is lost.</p>
        <p>
          <a href="/" className="not-found-link">
            Return to Home
          </a>
        </p>
      </main>
      <UnpluggedEar className="not-found-ear" />
      <div className="not-found-plug" aria-hidden="true" />
    </div>
  )
}
