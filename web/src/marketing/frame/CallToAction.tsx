import type { AppPath, SitePath } from '@deeb/core/paths'
import type { TRACKED_BUTTONS, TrackedPage } from '@deeb/core/visitors/api'
import type { ComingSoonPath } from '@deeb/core/visitors/coming-soon'
import { linkTo } from './link-to.ts'

/** The page and the button names under which a click is counted. */
export type Counted = { [Page in TrackedPage]: readonly [Page, (typeof TRACKED_BUTTONS)[Page][number]] }[TrackedPage]

interface CallToActionProps {
  to: SitePath | AppPath | ComingSoonPath
  look: 'button' | 'button-large' | 'button-small' | 'button-header' | 'button-bright' | 'text-link'
  counts?: Counted
  children: string
}

/** A call to action. A link, so that it works without script; enhance.ts counts the click. */
export function CallToAction({ to, look, counts, children }: CallToActionProps) {
  const [page, button] = counts ?? []
  const className = look === 'text-link' || look === 'button' ? look : `button ${look}`
  return (
    <a href={linkTo(to)} data-page={page} data-button={button} className={className}>
      {children}
    </a>
  )
}
