import { SITE_PATHS } from '@deeb/core/paths'
import { Ear } from './drawings/Ear.tsx'
import { SitePage } from './frame/SitePage.tsx'

/** The page that the server sends with status 404. */
export function NotFoundPage() {
  return (
    <SitePage
      title="deeb: page not found"
      description="the plug fell out. nothing else is lost."
      path={null}
      frame="header"
    >
      <div className="not-found">
        <div className="page not-found-words">
          <h1 className="display not-found-title">Oops! Page not found</h1>
          <p className="lead">the plug fell out. nothing else is lost.</p>
          <a href={SITE_PATHS.home} className="text-link">
            Return to Home
          </a>
        </div>
        <Ear plug="out" className="not-found-ear" />
        <div className="not-found-plug" aria-hidden="true" />
      </div>
    </SitePage>
  )
}
