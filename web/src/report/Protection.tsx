import { blurText } from '@deeb/core/report/report-text'
import * as texts from '@deeb/texts/report'
import { CountMeIn } from './CountMeIn.tsx'

const rules = (blur: number) => [
  texts.ruleWhole(),
  texts.ruleNoise({ blur: blurText(blur) }),
  texts.ruleOnce(),
  texts.ruleClear(),
  texts.ruleLeave(),
]

/** Explains what keeps the figures from being about one person, what remains, and the way out. */
export function Protection({ blur }: { blur: number }) {
  return (
    <section aria-labelledby="protection">
      <h2 id="protection" className="text-heading">
        {texts.protection()}
      </h2>
      <ol className="company-rules text-body text-pretty">
        {rules(blur).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ol>
      <div className="company-switch text-body">
        <CountMeIn label={texts.countMeIn()} />
      </div>
      <p className="text-body text-pretty">{texts.risk()}</p>
    </section>
  )
}
