import { ReportSheet } from '../drawings/ReportSheet.tsx'

const SEEN = [
  'about how many people use deeb in a week',
  'how long they focus, on average',
  'at which times, and on which days',
  'how often people reach their own goals',
]
const NEVER_SEEN = [
  'a person, a team or a department',
  'anybody’s hours, weeks or goals',
  'who has left themselves out',
  'what anybody works on',
]

/** What an employer sees, with a picture of it, and what they never see. */
export function Seen() {
  return (
    <section className="page section">
      <h2 className="heading">one page, for everybody</h2>
      <figure>
        <ReportSheet />
        <figcaption className="small">
          an example. everybody at the company sees this page, and the same one.
        </figcaption>
      </figure>
      <div className="columns-6-6 trust seen">
        <div>
          <h3 className="heading-3">what an employer sees</h3>
          <ul className="hair-list">
            {SEEN.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </div>
        <div>
          <h3 className="heading-3">what an employer never sees</h3>
          <ul className="hair-list trust-never">
            {NEVER_SEEN.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </div>
      </div>
      <p className="text-beside seen-how">
        the page begins when a company has ten accounts. before a number is saved, chance moves it by more than any one
        person adds. everybody can leave themselves out, and then looks like somebody who does not use deeb. only those
        who run the server could read its database, so agree on who that is.
      </p>
    </section>
  )
}
