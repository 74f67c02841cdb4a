import * as texts from '@deeb/texts/site'
import { ReportSheet } from '../drawings/ReportSheet.tsx'

const SEEN = [texts.seenPeople, texts.seenLength, texts.seenTimes, texts.seenGoals]
const NEVER_SEEN = [texts.neverPerson, texts.neverHours, texts.neverLeft, texts.neverWork]

/** Shows what an employer sees, with a picture of it, and what they never see. */
export function Seen() {
  return (
    <section className="page section">
      <h2 className="heading">{texts.seen()}</h2>
      <figure>
        <ReportSheet />
        <figcaption className="small">{texts.seenCaption()}</figcaption>
      </figure>
      <div className="columns-6-6 trust seen">
        <div>
          <h3 className="heading-3">{texts.employerSees()}</h3>
          <ul className="hair-list">
            {SEEN.map((item) => (
              <li key={item()}>{item()}</li>
            ))}
          </ul>
        </div>
        <div>
          <h3 className="heading-3">{texts.employerNeverSees()}</h3>
          <ul className="hair-list trust-never">
            {NEVER_SEEN.map((item) => (
              <li key={item()}>{item()}</li>
            ))}
          </ul>
        </div>
      </div>
      <p className="text-beside seen-how">{texts.seenHow()}</p>
    </section>
  )
}
