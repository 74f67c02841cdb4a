import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import * as texts from '@deeb/texts/site'
import { CallToAction } from '../frame/CallToAction.tsx'
import { Lines } from '../frame/Lines.tsx'

const ANNUAL_VALUE_EURO = 3000
const INVESTMENT_EURO = 56

const FIGURES = [
  { name: texts.cost, figure: () => '30', unit: texts.costUnit },
  { name: texts.reclaim, figure: () => '25', unit: texts.reclaimUnit },
  { name: texts.value, figure: texts.valueFigure, unit: texts.valueUnit },
  { name: texts.investment, figure: () => `${INVESTMENT_EURO}`, unit: texts.investmentUnit },
]

export function Roi() {
  return (
    <section className="page section sum">
      <h2 className="heading">
        <Lines text={texts.sum()} breaks="phones-only" />
      </h2>
      <p className="sum-payback">
        <span className="figure-payback">50x</span> <span className="heading">{texts.payback()}</span>
      </p>
      <dl className="sum-figures">
        {FIGURES.map(({ name, figure, unit }) => (
          <div key={name()}>
            <dt className="small">{name()}</dt>
            <dd>
              <span className="figure-sum">{figure()}</span> <span className="sum-unit">{unit()}</span>
            </dd>
          </div>
        ))}
      </dl>
      <Scale />
      <div className="sum-call">
        <CallToAction to={comingSoonFor('sales')} look="button" counts={['employers', 'estimate_roi']}>
          {texts.estimateRoi()}
        </CallToAction>
        <p className="small">{texts.roiNote()}</p>
      </div>
    </section>
  )
}

/** Two bars on one scale: the annual value fills the column, the investment is as wide as its share of it. */
function Scale() {
  return (
    <div className="scale">
      <p className="scale-back">{texts.scaleBack()}</p>
      <p className="scale-in">
        <svg width={`${(100 * INVESTMENT_EURO) / ANNUAL_VALUE_EURO}%`} height="100%" aria-hidden="true">
          <rect width="100%" height="100%" rx="5" className="fill-green" />
        </svg>
        <span>{texts.scaleIn()}</span>
      </p>
    </div>
  )
}
