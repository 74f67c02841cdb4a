import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import { Ear } from './drawings/Ear.tsx'
import { Phone } from './drawings/Phone.tsx'
import { Benefits } from './frame/Benefits.tsx'
import { CallToAction } from './frame/CallToAction.tsx'
import { SitePage } from './frame/SitePage.tsx'
import { Stopped } from './frame/Stopped.tsx'
import { HomeTitle } from './frame/titles.tsx'

const BENEFITS = [
  {
    title: 'seen across the room',
    text: 'nobody has to ask if you are busy. the colour answers before they reach your desk.',
  },
  {
    title: 'one switch',
    text: 'on starts a session. off ends it. no projects to pick, no timesheet on friday.',
  },
  {
    title: 'a goal that is yours',
    text: 'choose the minutes for each day. go past them and the bar turns green. fall short and nothing turns red.',
  },
  {
    title: 'colleagues who know when',
    text: 'the people you connect or share a circle with see a green dot while you are in deeb mode. they see when, never what for.',
  },
]

/** The legend of the phone's bars. */
const KEY = [
  { colour: 'ink', text: 'time toward your own goal' },
  { colour: 'green', text: 'time beyond it' },
  { colour: 'line', text: 'room you left for yourself' },
]

export function HomePage() {
  return (
    <SitePage
      title="deeb: work deep. show focus."
      description="bright earplugs that say not now, and one switch that counts the quiet hours."
      path={SITE_PATHS.home}
      share="home"
    >
      <Hero />
      <Method />
      <section className="page section" aria-labelledby="benefits">
        <h2 id="benefits" className="sr-only">
          what it does for you
        </h2>
        <Benefits items={BENEFITS} />
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
        <p className="lead home-lead">bright earplugs that say “not now”. one switch that counts the quiet hours.</p>
        <div className="calls home-calls">
          <CallToAction to={APP_PATHS.signUp} look="button-large">
            get started
          </CallToAction>
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
          plug in. <br />
          switch on. <br />
          that’s the whole method.
        </h2>
        <p className="text-beside method-text">
          put the plugs in and people can see you are busy. switch deeb on and the hours add up by themselves. take them
          out, switch off, say hello.
        </p>
        <ul className="hair-list method-key">
          {KEY.map(({ colour, text }) => (
            <li key={colour}>
              <span className="method-swatch" data-colour={colour} aria-hidden="true" />
              {text}
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
          quiet works better when everyone has <Stopped>it</Stopped>
        </h2>
        <div className="band-row">
          <p className="lead">about 56 euros per person, per year. someone where you work can say yes to that.</p>
          <CallToAction to={SITE_PATHS.companies} look="button-large" counts={['homepage', 'tell_company']}>
            tell your company about deeb
          </CallToAction>
        </div>
      </div>
    </section>
  )
}
