import { comingSoonFor } from '@deeb/core/visitors/coming-soon'
import { CallToAction } from '../frame/CallToAction.tsx'

const ANNUAL_VALUE_EURO = 3000
const INVESTMENT_EURO = 56

const FIGURES = [
  { name: 'employee cost', figure: '30', unit: 'euro/hour' },
  { name: 'reclaim', figure: '25', unit: 'min/day' },
  { name: 'annual value', figure: '3,000+', unit: 'euro' },
  { name: 'investment', figure: `${INVESTMENT_EURO}`, unit: 'euro/year' },
]

export function Roi() {
  return (
    <section className="page section sum">
      <h2 className="heading">
        the sum, <br className="phones-only" />
        drawn to scale
      </h2>
      <p className="sum-payback">
        <span className="figure-payback">50x</span> <span className="heading">payback</span>
      </p>
      <dl className="sum-figures">
        {FIGURES.map(({ name, figure, unit }) => (
          <div key={name}>
            <dt className="small">{name}</dt>
            <dd>
              <span className="figure-sum">{figure}</span> <span className="sum-unit">{unit}</span>
            </dd>
          </div>
        ))}
      </dl>
      <Scale />
      <div className="sum-call">
        <CallToAction to={comingSoonFor('sales')} look="button" counts={['employers', 'estimate_roi']}>
          estimate your roi
        </CallToAction>
        <p className="small">
          per employee, per year. 25 minutes a day at 30 euro an hour, over about 240 working days.
        </p>
      </div>
    </section>
  )
}

/** Two bars on one scale: the annual value fills the column, the investment is as wide as its share of it. */
function Scale() {
  return (
    <div className="scale">
      <p className="scale-back">3,000+ euro back</p>
      <p className="scale-in">
        <svg width={`${(100 * INVESTMENT_EURO) / ANNUAL_VALUE_EURO}%`} height="100%" aria-hidden="true">
          <rect width="100%" height="100%" rx="5" className="fill-green" />
        </svg>
        <span>{INVESTMENT_EURO} euro in</span>
      </p>
    </div>
  )
}
