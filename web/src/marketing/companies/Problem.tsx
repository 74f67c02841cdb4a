const LOSSES = [
  {
    figure: '2–3',
    unit: 'hours',
    text: 'lost per person, per day, to interruptions and the climb back after each one.',
  },
  { figure: '12,000+', unit: 'euro', text: 'lost per employee, per year. nobody meant to.' },
]

export function Problem() {
  return (
    <section className="page section problem">
      <h2 className="heading">the day leaks</h2>
      {LOSSES.map(({ figure, unit, text }) => (
        <div key={unit} className="loss columns-8-4">
          <p className={figure.startsWith('1') ? 'figure-loss starts-with-1' : 'figure-loss'}>
            {figure}
            <span className="figure-unit"> {unit}</span>
          </p>
          <p className="text-beside">{text}</p>
        </div>
      ))}
    </section>
  )
}
