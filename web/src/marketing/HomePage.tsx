import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { Case } from './drawings/Case.tsx'
import { Ear } from './drawings/Ear.tsx'
import { Phone } from './drawings/Phone.tsx'
import { Benefits } from './frame/Benefits.tsx'
import { CallToAction } from './frame/CallToAction.tsx'
import { Lines, StoppedLines } from './frame/Lines.tsx'
import { SitePage } from './frame/SitePage.tsx'
import { HomeTitle } from './frame/titles.tsx'

const BENEFITS = [
  { title: texts.acrossRoomTitle, text: texts.acrossRoomText },
  { title: texts.oneSwitchTitle, text: texts.oneSwitchText },
  { title: texts.ownGoalTitle, text: texts.ownGoalText },
  { title: texts.knowWhenTitle, text: texts.knowWhenText },
]

/** The legend of the phone's bars. */
const KEY = [
  { colour: 'ink', text: texts.keyInk },
  { colour: 'green', text: texts.keyGreen },
  { colour: 'line', text: texts.keyLine },
]

export function HomePage() {
  return (
    <SitePage title={texts.homeTitle()} description={texts.homeDescription()} path={SITE_PATHS.home} share="home">
      <Hero />
      <Method />
      <section className="page section" aria-labelledby="benefits">
        <h2 id="benefits" className="sr-only">
          {texts.benefits()}
        </h2>
        <Benefits items={BENEFITS} />
      </section>
      <section className="page section columns-7-5">
        <Case />
        <div>
          <h2 className="heading-large">
            <StoppedLines text={texts.caseTitle()} />
          </h2>
          <p className="text-beside method-text">{texts.caseText()}</p>
        </div>
      </section>
      <section id="alone" className="page section columns-7-5">
        <h2 className="heading-large">
          <StoppedLines text={texts.aloneTitle()} />
        </h2>
        <div className="text-beside">
          <p>{texts.aloneText()}</p>
          <CallToAction to={APP_PATHS.signUp} look="text-link">
            {texts.getStarted()}
          </CallToAction>
        </div>
      </section>
      <Band />
    </SitePage>
  )
}

function Hero() {
  return (
    <section className="page home-hero">
      <div>
        <h1 className="display home-title">
          <HomeTitle />
        </h1>
        <p className="lead home-lead">{texts.homeLead()}</p>
        <div className="calls home-calls">
          <CallToAction to={APP_PATHS.signUp} look="button-large">
            {texts.getStarted()}
          </CallToAction>
          <a href="#alone" className="text-link">
            {texts.startWithout()}
          </a>
        </div>
      </div>
      <Ear plug="in" className="home-ear" />
    </section>
  )
}

function Method() {
  return (
    <section className="page section method">
      <div className="method-words">
        <h2 className="heading-large">
          <Lines text={texts.method()} />
        </h2>
        <p className="text-beside method-text">{texts.methodText()}</p>
        <ul className="hair-list method-key">
          {KEY.map(({ colour, text }) => (
            <li key={colour}>
              <span className="method-swatch" data-colour={colour} aria-hidden="true" />
              {text()}
            </li>
          ))}
        </ul>
      </div>
      <Phone />
    </section>
  )
}

function Band() {
  return (
    <section className="band on-ink">
      <div className="page">
        <h2 className="heading-closing home-closing">
          <StoppedLines text={texts.homeClosing()} />
        </h2>
        <div className="band-row">
          <p className="lead">{texts.homePrice()}</p>
          <CallToAction to={SITE_PATHS.companies} look="button-large" counts={['homepage', 'tell_company']}>
            {texts.tellCompany()}
          </CallToAction>
        </div>
      </div>
    </section>
  )
}
