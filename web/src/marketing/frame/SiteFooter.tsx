import { APP_PATHS, type LegalPath, SITE_PATHS, type SitePath } from '@deeb/core/paths'
import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import { Logo } from '../../ui/Logo.tsx'
import { CallToAction } from './CallToAction.tsx'

const COPYRIGHT_YEAR = 2025

const COLUMNS = [
  { heading: 'contact', links: { 'contact sales': comingSoonFor('sales'), support: comingSoonFor('support') } },
  {
    heading: 'legal',
    links: { privacy: comingSoonFor('privacy'), terms: comingSoonFor('terms'), imprint: comingSoonFor('imprint') },
  },
  {
    heading: 'company',
    links: { 'about deeb': SITE_PATHS.comingSoon, press: comingSoonFor('contact'), 'sign in': APP_PATHS.signIn },
  },
]

export function SiteFooter({ path }: { path: SitePath | LegalPath | null }) {
  return (
    <footer className="site-footer on-ink">
      <div className="page site-footer-grid">
        <div>
          <Logo plugs="in" className="site-footer-logo" />
          <p className="site-footer-words">
            not now.
            <br />
            back soon.
          </p>
        </div>
        {COLUMNS.map(({ heading, links }) => (
          <nav key={heading} aria-label={heading}>
            <p className="site-footer-heading">{heading}</p>
            <ul>
              {Object.entries(links).map(([name, to]) => (
                <li key={name}>
                  <a href={to} className="site-footer-link">
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div className="site-footer-letter">
          <p className="site-footer-heading">newsletter</p>
          <p className="site-footer-note">a short letter about working quietly. now and then.</p>
          <CallToAction
            to={comingSoonFor('newsletter')}
            look="button-small"
            // Clicks are counted on the companies page only.
            {...(path === SITE_PATHS.companies ? { counts: ['employers', 'newsletter_subscribe'] } : {})}
          >
            subscribe
          </CallToAction>
        </div>
        <p className="site-footer-copyright">© {COPYRIGHT_YEAR} deeb</p>
      </div>
    </footer>
  )
}
