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
        <Row term={texts.priceTerm()} text={texts.companiesPrice()} />
        <Row term={texts.includedTerm()} text={texts.included()} />
        <div>
          <dt>{texts.conditionsTerm()}</dt>
          <dd data-price="">
            <p>{texts.conditions()}</p>
            <CallToAction to={comingSoonFor('sales')} look="text-link">
              {texts.askFirst()}
            </CallToAction>
          </dd>
        </div>
        <Row term={texts.signTerm()} text={texts.sign()} />
        <Row term={texts.draftsTerm()} text={texts.drafts()} />
      </dl>
    </section>
  )
}

function Row({ term, text }: { term: string; text: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{text}</dd>
    </div>
  )
}
