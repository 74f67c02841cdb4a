import { LANGUAGE_NAMES, LANGUAGES } from '@deeb/core/languages'
import { APP_PATHS, type LegalPath, SITE_PATHS, type SitePath, sitePathIn } from '@deeb/core/paths'
import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import * as texts from '@deeb/texts/site'
import { LANGUAGE } from '../../device/language.ts'
import { Logo } from '../../ui/Logo.tsx'
import { CallToAction } from './CallToAction.tsx'
import { Lines } from './Lines.tsx'
import { linkTo } from './link-to.ts'

const COPYRIGHT_YEAR = 2025

const COLUMNS = [
  {
    heading: texts.contact,
    links: [
      { name: texts.footerSales, to: comingSoonFor('sales') },
      { name: texts.support, to: comingSoonFor('support') },
    ],
  },
  {
    heading: texts.legal,
    links: [
      { name: texts.privacy, to: comingSoonFor('privacy') },
      { name: texts.terms, to: comingSoonFor('terms') },
      { name: texts.imprint, to: comingSoonFor('imprint') },
    ],
  },
  {
    heading: texts.company,
    links: [
      { name: texts.aboutDeeb, to: SITE_PATHS.comingSoon },
      { name: texts.press, to: comingSoonFor('contact') },
      { name: texts.signIn, to: APP_PATHS.signIn },
    ],
  },
]

export function SiteFooter({ path }: { path: SitePath | LegalPath | null }) {
  return (
    <footer className="site-footer on-ink">
      <div className="page site-footer-grid">
        <div>
          <Logo plugs="in" className="site-footer-logo" />
          <p className="site-footer-words">
            <Lines text={texts.footerWords()} />
          </p>
        </div>
        {COLUMNS.map(({ heading, links }) => (
          <nav key={heading()} aria-label={heading()}>
            <p className="site-footer-heading">{heading()}</p>
            <ul>
              {links.map(({ name, to }) => (
                <li key={name()}>
                  <a href={linkTo(to)} className="site-footer-link">
                    {name()}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        <div className="site-footer-letter">
          <p className="site-footer-heading">{texts.newsletter()}</p>
          <p className="site-footer-note">{texts.newsletterNote()}</p>
          <CallToAction
            to={comingSoonFor('newsletter')}
            look="button-small"
            // Clicks are counted on the companies page only.
            {...(path === SITE_PATHS.companies ? { counts: ['employers', 'newsletter_subscribe'] } : {})}
          >
            {texts.subscribe()}
          </CallToAction>
        </div>
        {path ? <LanguageLinks path={path} /> : null}
        <p className="site-footer-copyright">© {COPYRIGHT_YEAR} deeb</p>
      </div>
    </footer>
  )
}

/** This page in every language. */
function LanguageLinks({ path }: { path: SitePath | LegalPath }) {
  return (
    <nav aria-label={texts.languages()} className="site-footer-languages">
      <ul>
        {LANGUAGES.map((language) => (
          <li key={language}>
            <a
              href={sitePathIn(language, path)}
              lang={language}
              hrefLang={language}
              aria-current={language === LANGUAGE ? 'page' : undefined}
              className="site-footer-link"
            >
              {LANGUAGE_NAMES[language]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
