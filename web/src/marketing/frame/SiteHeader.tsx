import { APP_PATHS, type LegalPath, SITE_PATHS, type SitePath } from '@deeb/core/paths'
import { Logo } from '../../ui/Logo.tsx'
import { CallToAction } from './CallToAction.tsx'

/** The logo, which links to the home page, then the other pages, sign-in and sign-up. */
export function SiteHeader({ path, withLinks }: { path: SitePath | LegalPath | null; withLinks: boolean }) {
  return (
    <header className="site-header page">
      <a href={SITE_PATHS.home} aria-label="deeb" className="site-name">
        <Logo plugs="in" className="site-logo" />
      </a>
      {withLinks ? (
        <>
          <nav aria-label="Pages" className="site-links">
            <HeaderLink to={SITE_PATHS.companies} at={path}>
              for companies
            </HeaderLink>
            <HeaderLink to={SITE_PATHS.teams} at={path}>
              for teams
            </HeaderLink>
          </nav>
          <nav aria-label="Account" className="site-account">
            <a href={APP_PATHS.signIn} className="site-link site-link-quiet">
              sign in
            </a>
            <CallToAction to={APP_PATHS.signUp} look="button-header">
              get started
            </CallToAction>
          </nav>
        </>
      ) : null}
    </header>
  )
}

function HeaderLink({ to, at, children }: { to: SitePath; at: SitePath | LegalPath | null; children: string }) {
  return (
    <a href={to} aria-current={to === at ? 'page' : undefined} className="site-link">
      {children}
    </a>
  )
}
