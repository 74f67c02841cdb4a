import { APP_PATHS, type LEGAL_PATHS, SITE_PATHS } from '@deeb/core/paths'
import type { LeadPurpose } from '@deeb/core/visitors/api'
import { comingSoonFor, type ReadyPurpose } from '@deeb/core/visitors/coming-soon'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/site'
import { LeadPage } from './frame/LeadPage.tsx'
import { StoppedLines } from './frame/Lines.tsx'
import { linkTo } from './frame/link-to.ts'
import { ComingSoonTitle } from './frame/titles.tsx'

/** The words of each purpose, but for the legal pages: those exist. Hidden in the built page. The server shows those of the query. */
const ASKED: Record<Exclude<LeadPurpose, keyof typeof LEGAL_PATHS>, () => string> = {
  info_sheet: texts.askedInfoSheet,
  demo: texts.askedDemo,
  pilot: texts.askedPilot,
  sales: texts.askedSales,
  newsletter: texts.askedNewsletter,
  contact: texts.askedContact,
  support: texts.askedSupport,
}

/** What the visitor asked for and gets here, in place of the lead. */
const READY: Record<ReadyPurpose, { words: () => string; link: () => string; href: string }> = {
  info_sheet: {
    words: texts.infoSheetReady,
    link: texts.printLink,
    // enhance.ts prints the page.
    href: `${linkTo(SITE_PATHS.companies)}?print`,
  },
  // The server fills in DEMO_URL.
  demo: { words: texts.demoReady, link: texts.openDemo, href: linkTo(comingSoonFor('demo')) },
}
const READY_PURPOSES = Object.entries(READY)

/** The things that a visitor can do today. */
const INSTEAD = [
  { purpose: 'demo', words: texts.demoWords, link: texts.getStarted, to: APP_PATHS.signUp },
  { purpose: 'pilot', words: texts.pilotWords, link: texts.getStarted, to: APP_PATHS.signUp },
] as const satisfies { purpose: LeadPurpose; [part: string]: unknown }[]

export function ComingSoonPage() {
  return (
    <LeadPage
      title={texts.comingSoonTitle()}
      lead={texts.comingSoonLead()}
      asked={<Asked />}
      ready={<Ready />}
      instead={<Instead />}
      path={SITE_PATHS.comingSoon}
      name="coming-soon"
      heading={<Heading />}
      source="coming_soon_page"
      submit={texts.notifyMe()}
      saving={commonTexts.saving()}
      saved={texts.comingSoonSaved()}
    />
  )
}

/** The purposes of a visitor who wants to reach somebody. */
const CONTACTS = ['contact', 'sales', 'support'] as const satisfies LeadPurpose[]

function Heading() {
  return (
    <>
      {CONTACTS.map((purpose) => (
        <span key={purpose} hidden data-ready={purpose}>
          <StoppedLines text={texts.contactHeading()} />
        </span>
      ))}
      <span className="form-page-wait">
        <ComingSoonTitle />
      </span>
    </>
  )
}

function Asked() {
  return (
    <>
      {Object.entries(ASKED).map(([purpose, words]) => (
        <strong key={purpose} hidden data-purpose={purpose}>
          {words()}{' '}
        </strong>
      ))}
      {READY_PURPOSES.map(([purpose, { words }]) => (
        <span key={purpose} hidden data-ready={purpose}>
          {words()}
        </span>
      ))}
    </>
  )
}

function Ready() {
  return READY_PURPOSES.map(([purpose, { link, href }]) => (
    <div key={purpose} hidden data-ready={purpose} className="form-page-ready">
      <a href={href} data-demo={purpose === 'demo' ? '' : undefined} className="button">
        {link()}
      </a>
      <p className="form-page-lead">{texts.orWrite()}</p>
    </div>
  ))
}

/** The last one is for every other visitor (forms.css). */
function Instead() {
  return (
    <>
      {INSTEAD.map(({ purpose, words, link, to }) => (
        <p key={purpose} hidden data-purpose={purpose} className="form-page-instead">
          {words()} <br />
          <a href={linkTo(to)} className="text-link">
            {link()}
          </a>
        </p>
      ))}
      <p className="form-page-instead">
        {texts.readyWords()} <br />
        <a href={linkTo(APP_PATHS.signUp)} className="text-link">
          {texts.getStarted()}
        </a>
        <a href={linkTo(SITE_PATHS.companies)} className="text-link">
          {texts.forCompanies()}
        </a>
      </p>
    </>
  )
}
