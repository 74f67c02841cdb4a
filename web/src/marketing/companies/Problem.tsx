import * as texts from '@deeb/texts/site'

const LOSSES = [
  { figure: texts.hoursLost, unit: texts.hoursLostUnit, text: texts.hoursLostText },
  { figure: texts.euroLost, unit: texts.euroLostUnit, text: texts.euroLostText },
]

export function Problem() {
  return (
    <section className="page section problem">
      <h2 className="heading">{texts.problem()}</h2>
      {LOSSES.map(({ figure, unit, text }) => (
        <div key={unit()} className="loss columns-8-4">
          <p className={figure().startsWith('1') ? 'figure-loss starts-with-1' : 'figure-loss'}>
            {figure()}
            <span className="figure-unit"> {unit()}</span>
          </p>
          <p className="text-beside">{text()}</p>
        </div>
      ))}
    </section>
  )
}
