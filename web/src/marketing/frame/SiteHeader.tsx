import { APP_PATHS, type LegalPath, SITE_PATHS, type SitePath } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { Logo } from '../../ui/Logo.tsx'
import { CallToAction } from './CallToAction.tsx'
import { linkTo } from './link-to.ts'

/** The logo, which links to the home page, then the other pages, sign-in and sign-up. */
export function SiteHeader({ path, withLinks }: { path: SitePath | LegalPath | null; withLinks: boolean }) {
  return (
    <header className="site-header page">
      <a href={linkTo(SITE_PATHS.home)} aria-label="deeb" className="site-name">
        <Logo plugs="in" className="site-logo" />
      </a>
      {withLinks ? (
        <>
          <nav aria-label={texts.pages()} className="site-links">
            <HeaderLink to={SITE_PATHS.companies} at={path}>
              {texts.forCompanies()}
            </HeaderLink>
            <HeaderLink to={SITE_PATHS.teams} at={path}>
              {texts.forTeams()}
            </HeaderLink>
          </nav>
          <nav aria-label={texts.account()} className="site-account">
            <a href={linkTo(APP_PATHS.signIn)} className="site-link site-link-quiet">
              {texts.signIn()}
            </a>
            <CallToAction to={APP_PATHS.signUp} look="button-header">
              {texts.getStarted()}
            </CallToAction>
          </nav>
        </>
      ) : null}
    </header>
  )
}

function HeaderLink({ to, at, children }: { to: SitePath; at: SitePath | LegalPath | null; children: string }) {
  return (
    <a href={linkTo(to)} aria-current={to === at ? 'page' : undefined} className="site-link">
      {children}
    </a>
  )
}
