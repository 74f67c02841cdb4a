import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import type { LeadPurpose } from '@deeb/core/visitors/api'
import { LeadPage } from './frame/LeadPage.tsx'
import { ComingSoonTitle } from './frame/titles.tsx'

/** Hidden in the built page. The server shows the words of the purpose in the query (fillPurpose). */
const ASKED: Record<LeadPurpose, string> = {
  info_sheet: 'you asked for the info sheet.',
  demo: 'you asked for a demo.',
  pilot: 'you asked for a free pilot.',
  sales: 'you asked about deeb for your company.',
  newsletter: 'you asked for the newsletter.',
  privacy: 'you were looking for the privacy notice.',
  terms: 'you were looking for the terms.',
  imprint: 'you were looking for the imprint.',
  contact: 'you were looking for a way to reach us.',
  support: 'you were looking for support.',
}

/** What a visitor can do today. */
const INSTEAD = [
  {
    purpose: 'info_sheet',
    words: 'the page for companies prints as an info sheet.',
    link: 'open it and print',
    to: SITE_PATHS.companies,
  },
  { purpose: 'demo', words: 'you can also look for yourself.', link: 'get started', to: APP_PATHS.signUp },
  { purpose: 'pilot', words: 'you can also start on your own.', link: 'get started', to: APP_PATHS.signUp },
] as const satisfies { purpose: LeadPurpose; [part: string]: string }[]

export function ComingSoonPage() {
  return (
    <LeadPage
      title="deeb: almost quiet"
      lead="this part of deeb is not ready yet. leave your address and we will write once, when it is."
      asked={<Asked />}
      instead={<Instead />}
      path={SITE_PATHS.comingSoon}
      name="coming-soon"
      heading={<ComingSoonTitle />}
      source="coming_soon_page"
      submit="Notify me"
      saving="Saving..."
      saved="Thanks — you'll be the first to know."
    />
  )
}

function Asked() {
  return Object.entries(ASKED).map(([purpose, words]) => (
    <strong key={purpose} hidden data-purpose={purpose}>
      {words}{' '}
    </strong>
  ))
}

/** The last one is for every other visitor (forms.css). */
function Instead() {
  return (
    <>
      {INSTEAD.map(({ purpose, words, link, to }) => (
        <p key={purpose} hidden data-purpose={purpose} className="form-page-instead">
          {words} <br />
          <a href={to} className="text-link">
            {link}
          </a>
        </p>
      ))}
      <p className="form-page-instead">
        the switch and the ring are ready, though. they are yours today. <br />
        <a href={APP_PATHS.signUp} className="text-link">
          get started
        </a>
        <a href={SITE_PATHS.companies} className="text-link">
          for companies
        </a>
      </p>
    </>
  )
}
