import { SITE_PATHS } from '@deeb/core/paths'
import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import { Problem } from './companies/Problem.tsx'
import { Questions } from './companies/Questions.tsx'
import { Roi } from './companies/Roi.tsx'
import { Seen } from './companies/Seen.tsx'
import { Steps } from './companies/Steps.tsx'
import { Testimonials } from './companies/Testimonials.tsx'
import { Floor } from './drawings/Floor.tsx'
import { Benefits } from './frame/Benefits.tsx'
import { CallToAction } from './frame/CallToAction.tsx'
import { SitePage } from './frame/SitePage.tsx'
import { First, Stopped } from './frame/Stopped.tsx'
import { CompaniesTitle } from './frame/titles.tsx'

const BENEFITS = [
  {
    title: 'quiet nobody has to enforce',
    text: 'no rule, no sign on the door. people show it themselves and others see it.',
  },
  {
    title: 'hours that come back',
    text: '25 minutes a day, per person, is a cautious aim. it is also two working hours a week.',
  },
  {
    title: 'trust, kept',
    text: 'people share when they focus with the colleagues they choose. never what they work on.',
  },
]

export function CompaniesPage() {
  return (
    <SitePage
      title="deeb for companies: a focus zone. no walls."
      description="bright earplugs and a calm app for every desk. about 56 euros per employee per year."
      path={SITE_PATHS.companies}
      share="companies"
    >
      <Hero />
      <Problem />
      <section className="page section companies-benefits">
        <h2 className="heading">what changes</h2>
        <Benefits items={BENEFITS} />
        <CallToAction to={comingSoonFor('demo')} look="text-link" counts={['employers', 'see_platform_in_action']}>
          see the platform in action
        </CallToAction>
      </section>
      <Steps />
      <Seen />
      <Roi />
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
        <p className="lead">
          bright earplugs for every desk, a calm app beside them. quiet starts where people already sit.
        </p>
        <div>
          <div className="calls">
            <CallToAction to={comingSoonFor('demo')} look="button" counts={['employers', 'book_demo']}>
              book a demo
            </CallToAction>
            <CallToAction
              to={comingSoonFor('info_sheet')}
              look="text-link"
              counts={['employers', 'download_info_sheet']}
            >
              download info sheet
            </CallToAction>
          </div>
          <p className="small companies-price">about 56 euros per employee per year</p>
        </div>
      </div>
      <figure className="companies-floor">
        <Floor />
        <figcaption className="small">
          one floor, 10:40 in the morning. each circle is a desk. each green dot is someone saying “not now”.
        </figcaption>
      </figure>
    </section>
  )
}

function Band() {
  return (
    <section className="band on-ink">
      <div className="page">
        <h2 className="heading-closing">
          try it on <br />
          one floor{' '}
          <Stopped>
            <First />
          </Stopped>
        </h2>
        <div className="band-row">
          <p className="lead">a pilot is a box of earplugs and half an hour of your time.</p>
          <div className="calls">
            <CallToAction to={comingSoonFor('pilot')} look="button-bright" counts={['employers', 'start_free_pilot']}>
              start a free pilot
            </CallToAction>
            <CallToAction to={comingSoonFor('demo')} look="button" counts={['employers', 'book_demo_footer']}>
              book a demo
            </CallToAction>
            <CallToAction to={comingSoonFor('sales')} look="text-link" counts={['employers', 'contact_sales']}>
              contact sales
            </CallToAction>
          </div>
        </div>
      </div>
    </section>
  )
}
