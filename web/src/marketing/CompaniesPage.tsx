import { SITE_PATHS } from '@deeb/core/paths'
import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import * as texts from '@deeb/texts/site'
import { Price } from './companies/Price.tsx'
import { Problem } from './companies/Problem.tsx'
import { Questions } from './companies/Questions.tsx'
import { Roi } from './companies/Roi.tsx'
import { Seen } from './companies/Seen.tsx'
import { Steps } from './companies/Steps.tsx'
import { Testimonials } from './companies/Testimonials.tsx'
import { Floor } from './drawings/Floor.tsx'
import { Benefits } from './frame/Benefits.tsx'
import { CallToAction } from './frame/CallToAction.tsx'
import { StoppedLines } from './frame/Lines.tsx'
import { SitePage } from './frame/SitePage.tsx'
import { CompaniesTitle } from './frame/titles.tsx'

const BENEFITS = [
  { title: texts.quietTitle, text: texts.quietText },
  { title: texts.hoursBackTitle, text: texts.hoursBackText },
  { title: texts.trustTitle, text: texts.trustText },
]

export function CompaniesPage() {
  return (
    <SitePage
      title={texts.companiesTitle()}
      description={texts.companiesDescription()}
      path={SITE_PATHS.companies}
      share="companies"
    >
      <Hero />
      <Problem />
      <section className="page section companies-benefits">
        <h2 className="heading">{texts.changes()}</h2>
        <Benefits items={BENEFITS} />
        <CallToAction to={comingSoonFor('demo')} look="text-link" counts={['employers', 'see_platform_in_action']}>
          {texts.seePlatform()}
        </CallToAction>
      </section>
      <Steps />
      <Seen />
      <Roi />
      <Price />
      <Testimonials />
      <Questions />
      <Band />
    </SitePage>
  )
}

function Hero() {
  return (
    <section className="page companies-hero">
      <h1 className="display companies-title">
        <CompaniesTitle />
      </h1>
      <div className="columns-6-6 companies-pitch">
        <p className="lead">{texts.companiesLead()}</p>
        <div>
          <div className="calls">
            <CallToAction to={comingSoonFor('demo')} look="button" counts={['employers', 'book_demo']}>
              {texts.bookDemo()}
            </CallToAction>
            <CallToAction
              to={comingSoonFor('info_sheet')}
              look="text-link"
              counts={['employers', 'download_info_sheet']}
            >
              {texts.downloadInfoSheet()}
            </CallToAction>
          </div>
          <p className="small companies-price">{texts.companiesPrice()}</p>
        </div>
      </div>
      <figure className="companies-floor">
        <Floor />
        <figcaption className="small">{texts.floorCaption()}</figcaption>
      </figure>
    </section>
  )
}

function Band() {
  return (
    <section className="band on-ink">
      <div className="page">
        <h2 className="heading-closing">
          <StoppedLines text={texts.companiesClosing()} />
        </h2>
        <div className="band-row">
          <p className="lead">{texts.pilot()}</p>
          <div className="calls">
            <CallToAction to={comingSoonFor('pilot')} look="button-bright" counts={['employers', 'start_free_pilot']}>
              {texts.startPilot()}
            </CallToAction>
            <CallToAction to={comingSoonFor('demo')} look="button" counts={['employers', 'book_demo_footer']}>
              {texts.bookDemo()}
            </CallToAction>
            <CallToAction to={comingSoonFor('sales')} look="text-link" counts={['employers', 'contact_sales']}>
              {texts.contactSales()}
            </CallToAction>
          </div>
        </div>
      </div>
    </section>
  )
}
