import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import * as texts from '@deeb/texts/site'
import { CallToAction } from '../frame/CallToAction.tsx'
import { Lines } from '../frame/Lines.tsx'

/** Price, what it includes and what to sign. The server replaces the content of `data-price` by the text in SITE_DIR. */
export function Price() {
  return (
    <section id="price" className="page section columns-4-8">
      <h2 className="heading">
        <Lines text={texts.costTitle()} />
      </h2>
      <dl className="price">
        <div>
          <dt>{texts.priceTerm()}</dt>
          <dd>{texts.companiesPrice()}</dd>
        </div>
        <div>
          <dt>{texts.includedTerm()}</dt>
          <dd>{texts.included()}</dd>
        </div>
        <div>
          <dt>{texts.conditionsTerm()}</dt>
          <dd data-price="">
            <p>{texts.conditions()}</p>
            <CallToAction to={comingSoonFor('sales')} look="text-link">
              {texts.askFirst()}
            </CallToAction>
          </dd>
        </div>
        <div>
          <dt>{texts.signTerm()}</dt>
          <dd>{texts.sign()}</dd>
        </div>
        <div>
          <dt>{texts.draftsTerm()}</dt>
          <dd>{texts.drafts()}</dd>
        </div>
      </dl>
    </section>
  )
}
