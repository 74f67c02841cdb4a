import { LEGAL_TEXT_PLACEHOLDER, type LegalPath } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { SitePage } from './SitePage.tsx'

interface LegalPageProps {
  heading: string
  description: string
  path: LegalPath
}

/** A page whose text the server fills in: that of the administrator, else the one that comes with deeb. */
export function LegalPage({ heading, description, path }: LegalPageProps) {
  return (
    <SitePage title={texts.legalTitle({ heading })} description={description} path={path}>
      <div className="page legal">
        <h1 className="heading-closing">{heading}</h1>
        <div className="legal-text">{LEGAL_TEXT_PLACEHOLDER}</div>
      </div>
    </SitePage>
  )
}
