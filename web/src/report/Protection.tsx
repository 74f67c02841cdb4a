import { blurText } from '@deeb/core/report/report-text'
import * as texts from '@deeb/texts/report'
import { ChevronDown } from '../ui/icons.tsx'
import { CountMeIn } from './CountMeIn.tsx'

const rules = (blur: number) => [
  texts.ruleWhole(),
  texts.ruleNoise({ blur: blurText(blur) }),
  texts.ruleOnce(),
  texts.ruleClear(),
  texts.ruleLeave(),
]

/** Says in short why no figure is about one person, and has the way out. The rules and the rest of the risk are folded, but not on paper. */
export function Protection({ blur }: { blur: number }) {
  return (
    <section aria-labelledby="protection">
      <p className="text-body text-pretty">{texts.protectionInShort()}</p>
      <div className="company-switch text-body">
        <CountMeIn label={texts.countMeIn()} />
      </div>
      <details className="company-protection text-body text-pretty">
        <summary className="flex min-h-14 items-center justify-between rounded-bar">
          <h2 id="protection" className="text-name">
            {texts.protection()}
          </h2>
          <ChevronDown size={20} strokeWidth={1.75} className="flex-none text-soft" />
        </summary>
        <ol className="company-rules">
          {rules(blur).map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ol>
        <p>{texts.risk()}</p>
      </details>
    </section>
  )
}
