import { SITE_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { Ear } from './drawings/Ear.tsx'
import { linkTo } from './frame/link-to.ts'
import { SitePage } from './frame/SitePage.tsx'

/** The page that the server sends with status 404. */
export function NotFoundPage() {
  return (
    <SitePage title={texts.notFoundTitle()} description={texts.notFoundLead()} path={null} frame="header">
      <div className="not-found">
        <div className="page not-found-words">
          <h1 className="display not-found-title">{texts.notFound()}</h1>
          <p className="lead">{texts.notFoundLead()}</p>
          <a href={linkTo(SITE_PATHS.home)} className="text-link">
            {texts.returnHome()}
          </a>
        </div>
        <Ear plug="out" className="not-found-ear" />
        <div className="not-found-plug" aria-hidden="true" />
      </div>
    </SitePage>
  )
}
