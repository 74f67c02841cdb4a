import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import { SixPeople } from './drawings/SixPeople.tsx'
import { TeamCard } from './drawings/TeamCard.tsx'
import { CallToAction } from './frame/CallToAction.tsx'
import { SitePage } from './frame/SitePage.tsx'
import { Stopped } from './frame/Stopped.tsx'
import { TeamsTitle } from './frame/titles.tsx'

const MINUTES = [
  { at: '0:00', what: 'sign up with your work email.', why: 'that is how deeb knows who your colleagues are.' },
  { at: '1:00', what: 'confirm the email.', why: 'open its link and enter your password.' },
  { at: '2:00', what: 'set a goal for each day.', why: 'or skip, and start with one hour.' },
  { at: '3:00', what: 'search for your people and add them.', why: 'each of them accepts or declines.' },
  { at: '5:00', what: 'plugs in. switch on.', why: 'the first dot turns green.' },
]

const SEEN = [
  'your name and work email',
  'whether you are in deeb mode right now',
  'since when',
  'until when, if you say so',
]
const NEVER_SEEN = [
  'what you work on',
  'your goals',
  'your hours, your week, your average',
  'your screen, your keys, your place',
]

export function TeamsPage() {
  return (
    <SitePage
      title="deeb for teams: one quiet morning"
      description="see who is deep in a thought, so nobody has to guess. a team starts in five minutes."
      path={SITE_PATHS.teams}
      share="teams"
    >
      <Hero />
      <section className="page section columns-7-5 interruption">
        <h2 className="heading-closing hanging-quote">“quick question.”</h2>
        <div className="text-beside">
          <p>
            it never is. the answer takes a minute. finding the thread again takes a good part of the next half hour.
          </p>
          <p>
            you could ask for fewer messages, or book a room, or stay late. or make it plain to see that now is not a
            good time.
          </p>
        </div>
      </section>
      <FiveMinutes />
      <Trust />
      <section className="page section teams-closing">
        <h2 className="heading-large">
          tomorrow at nine, <br className="not-on-phones" />
          <Stopped>then</Stopped>
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
        <p className="lead">
          you lead a team. you would like it to finish a thought. deeb shows who is deep in one, so nobody has to guess.
        </p>
        <Calls look="button" />
      </div>
    </section>
  )
}

function Calls({ look }: { look: 'button' | 'button-large' }) {
  return (
    <div className="calls">
      <CallToAction to={APP_PATHS.signUp} look={look}>
        start with your team
      </CallToAction>
      <CallToAction to={SITE_PATHS.waitlist} look="text-link">
        join the waitlist
      </CallToAction>
    </div>
  )
}

function FiveMinutes() {
  return (
    <section className="band on-ink section">
      <div className="page columns-4-8">
        <h2 className="heading">five minutes to start</h2>
        <ol className="minutes">
          {MINUTES.map(({ at, what, why }) => (
            <li key={at} className="minute">
              <p className="minute-at">{at}</p>
              <p>
                <strong>{what}</strong> <br />
                {why}
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
        <h2 className="heading-small">what colleagues see</h2>
        <ul className="hair-list">
          {SEEN.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <TeamCard />
      </div>
      <div>
        <h2 className="heading-small">what they never see</h2>
        <ul className="hair-list trust-never">
          {NEVER_SEEN.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <p className="text-beside trust-lead">
          as their lead you see what they see, no more. only people who accepted each other, or joined the same circle,
          see the dot. either side can quit or leave, and it is gone at once.
        </p>
      </div>
    </section>
  )
}
