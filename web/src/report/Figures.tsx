import '../ui/charts.css'
import type { Report } from '@deeb/core/report/api'
import { dateText, dayBars, daysText, lengthText, periodText, timeBars, timesText } from '@deeb/core/report/report-text'
import { type ReactNode, useId } from 'react'
import { BandLine } from '../ui/BandLine.tsx'
import { ShareBars } from '../ui/ShareBars.tsx'

const TREND = {
  more: 'More than in the four weeks before.',
  same: 'About as many as in the four weeks before.',
  fewer: 'Fewer than in the four weeks before.',
}

/** The figures of the report as sentences and charts. */
export function Figures({ report, members }: { report: Report; members: number }) {
  const { from, to, weeks, people, averageWeekMinutes, goalTenths, barWeeks, times, days, trend, peopleByWeek } = report
  const ofWeeks = barWeeks === weeks ? '' : ` The bars are of the last ${barWeeks} weeks.`
  return (
    <>
      <Sentence
        notes={[`give or take ${people.margin} · ${periodText(from, to)}`, ...(trend === null ? [] : [TREND[trend]])]}
      >
        In a typical week about {people.value} of {members} people use deeb.
      </Sentence>
      <Sentence notes={[`give or take ${lengthText(averageWeekMinutes.margin)}`]}>
        They focus about {lengthText(averageWeekMinutes.value)} a week each.
      </Sentence>
      {goalTenths === null ? null : (
        <Sentence notes={[]}>In {goalTenths} of 10 weeks people reach their own weekly goal.</Sentence>
      )}
      <div className="company-charts">
        {peopleByWeek.length < 2 ? null : (
          <Chart title="People a week" text="Each point is the mean of up to four weeks, and the band its margin.">
            <BandLine
              of="People"
              label="People a week"
              points={peopleByWeek.map(({ week, ...estimate }) => ({ name: dateText(week), ...estimate }))}
            />
          </Chart>
        )}
        {times ? (
          <Chart title="Time of day" text={`${timesText(times) ?? ''}${ofWeeks}`}>
            <ShareBars label="Time of day" ticks="between" bars={timeBars(times)} />
          </Chart>
        ) : null}
        {days ? (
          <Chart title="Day of the week" text={`${daysText(days) ?? ''}${ofWeeks}`}>
            <ShareBars label="Day of the week" ticks="below" bars={dayBars(days)} />
          </Chart>
        ) : null}
      </div>
    </>
  )
}

function Sentence({ notes, children }: { notes: string[]; children: ReactNode }) {
  return (
    <div className="company-sentence">
      <p className="text-heading text-pretty">{children}</p>
      {notes.map((note) => (
        <p key={note} className="text-note text-soft">
          {note}
        </p>
      ))}
    </div>
  )
}

function Chart({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="company-chart">
      <h2 id={id} className="mb-2 text-name">
        {title}
      </h2>
      {children}
      {text === '' ? null : <p className="mt-2 text-note text-soft">{text}</p>}
    </section>
  )
}
