import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { SixPeople } from './drawings/SixPeople.tsx'
import { TeamCard } from './drawings/TeamCard.tsx'
import { CallToAction } from './frame/CallToAction.tsx'
import { StoppedLines } from './frame/Lines.tsx'
import { SitePage } from './frame/SitePage.tsx'
import { TeamsTitle } from './frame/titles.tsx'

const MINUTES = [
  { at: '0:00', what: texts.signUpStep, why: texts.signUpWhy },
  { at: '1:00', what: texts.confirmStep, why: texts.confirmWhy },
  { at: '2:00', what: texts.goalStep, why: texts.goalWhy },
  { at: '3:00', what: texts.circleStep, why: texts.circleWhy },
  { at: '5:00', what: texts.switchOnStep, why: texts.switchOnWhy },
]

const SEEN = [texts.seenName, texts.seenNow, texts.seenSince, texts.seenUntil]
const NEVER_SEEN = [texts.neverYourWork, texts.neverYourGoals, texts.neverYourHours, texts.neverYourScreen]

export function TeamsPage() {
  return (
    <SitePage title={texts.teamsTitle()} description={texts.teamsDescription()} path={SITE_PATHS.teams} share="teams">
      <Hero />
      <section className="page section columns-7-5 interruption">
        <h2 className="heading-closing hanging-quote">{texts.quickQuestion()}</h2>
        <div className="text-beside">
          <p>{texts.quickQuestionText()}</p>
          <p>{texts.quickQuestionWays()}</p>
        </div>
      </section>
      <FiveMinutes />
      <Trust />
      <section className="page section teams-closing">
        <h2 className="heading-large">
          <StoppedLines text={texts.teamsClosing()} breaks="not-on-phones" />
        </h2>
        <Calls look="button-large" />
      </section>
    </SitePage>
  )
}

function Hero() {
  return (
    <section className="page teams-hero">
      <h1 className="display teams-title">
        <TeamsTitle />
      </h1>
      <SixPeople />
      <div className="columns-7-5 teams-pitch">
        <p className="lead">{texts.teamsLead()}</p>
        <Calls look="button" />
      </div>
    </section>
  )
}

function Calls({ look }: { look: 'button' | 'button-large' }) {
  return (
    <div className="calls">
      <CallToAction to={APP_PATHS.signUp} look={look}>
        {texts.startWithTeam()}
      </CallToAction>
      <CallToAction to={SITE_PATHS.waitlist} look="text-link">
        {texts.joinWaitlist()}
      </CallToAction>
    </div>
  )
}

function FiveMinutes() {
  return (
    <section className="band on-ink section">
      <div className="page columns-4-8">
        <h2 className="heading">{texts.fiveMinutes()}</h2>
        <ol className="minutes">
          {MINUTES.map(({ at, what, why }) => (
            <li key={at} className="minute">
              <p className="minute-at">{at}</p>
              <p>
                <strong>{what()}</strong> <br />
                {why()}
              </p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}

function Trust() {
  return (
    <section className="page section columns-6-6 trust">
      <div>
        <h2 className="heading-small">{texts.colleaguesSee()}</h2>
        <ul className="hair-list">
          {SEEN.map((item) => (
            <li key={item()}>{item()}</li>
          ))}
        </ul>
        <TeamCard />
      </div>
      <div>
        <h2 className="heading-small">{texts.colleaguesNeverSee()}</h2>
        <ul className="hair-list trust-never">
          {NEVER_SEEN.map((item) => (
            <li key={item()}>{item()}</li>
          ))}
        </ul>
        <p className="text-beside trust-lead">{texts.leadSees()}</p>
      </div>
    </section>
  )
}
