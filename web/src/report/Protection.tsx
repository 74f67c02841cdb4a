import { blurText } from '@deeb/core/report/report-text'
import { CountMeIn } from './CountMeIn.tsx'

const rules = (blur: number) => [
  'It is about the whole company. There are no filters and no names, and nobody has another report.',
  `Before a number is saved, chance moves it by ${blurText(blur)}. That is more than any one person adds, so it says next to nothing about you, even to somebody who knows everybody else's hours.`,
  'Each week is counted once, on the Thursday after it. Later corrections and deleted accounts change nothing here.',
  'A number appears only when it is clearly larger than this blur, and only in companies with at least ten accounts.',
  'You can leave yourself out. You then look like somebody who does not use deeb.',
]

const RISK =
  "Somebody who knew everybody else's hours every week for months could come to guess whether you use deeb at all. If that worries you, leave yourself out. And whoever runs this server can read its database."

/** What keeps the figures from being about one person, what remains, and the way out. */
export function Protection({ blur }: { blur: number }) {
  return (
    <section aria-labelledby="protection">
      <h2 id="protection" className="text-heading">
        How this page protects you
      </h2>
      <ol className="company-rules text-body text-pretty">
        {rules(blur).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ol>
      <div className="company-switch text-body">
        <CountMeIn label="Count me in" />
      </div>
      <p className="text-body text-pretty">{RISK}</p>
    </section>
  )
}
