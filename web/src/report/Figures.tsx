import '../ui/charts.css'
import type { Report } from '@deeb/core/report/api'
import { dateText, dayBars, daysText, periodText, timeBars, timesText } from '@deeb/core/report/report-text'
import { lengthText } from '@deeb/core/stats/ring'
import * as texts from '@deeb/texts/report'
import { type ReactNode, useId } from 'react'
import { FORMAT_LOCALE, LANGUAGE } from '../device/language.ts'
import { BandLine } from '../ui/BandLine.tsx'
import { ShareBars } from '../ui/ShareBars.tsx'

const TREND = { more: texts.trendMore, same: texts.trendSame, fewer: texts.trendFewer }

/** The figures of the report as sentences and charts. */
export function Figures({ report, members }: { report: Report; members: number }) {
  const { from, to, weeks, people, averageWeekMinutes, goalTenths, barWeeks, times, days, trend, peopleByWeek } = report
  const ofWeeks = barWeeks === weeks ? null : texts.barsOfWeeks({ count: barWeeks })
  const peopleNote = texts.peopleNote({ margin: people.margin, period: periodText(from, to, LANGUAGE) })
  return (
    <>
      <Sentence notes={[peopleNote, ...(trend === null ? [] : [TREND[trend]()])]}>
        {texts.people({ value: people.value, members })}
      </Sentence>
      <Sentence notes={[texts.averageWeekNote({ length: lengthText(averageWeekMinutes.margin) })]}>
        {texts.averageWeek({ length: lengthText(averageWeekMinutes.value) })}
      </Sentence>
      {goalTenths === null ? null : <Sentence notes={[]}>{texts.goals({ count: goalTenths })}</Sentence>}
      <div className="company-charts">
        {peopleByWeek.length < 2 ? null : (
          <Chart title={texts.peopleAWeek()} sentences={[texts.peopleAWeekNote()]}>
            <BandLine
              of={texts.peopleColumn()}
              label={texts.peopleAWeek()}
              points={peopleByWeek.map(({ week, ...estimate }) => ({ name: dateText(week, LANGUAGE), ...estimate }))}
            />
          </Chart>
        )}
        {times ? (
          <Chart title={texts.timeOfDay()} sentences={[timesText(times, FORMAT_LOCALE), ofWeeks]}>
            <ShareBars label={texts.timeOfDay()} ticks="between" bars={timeBars(times, FORMAT_LOCALE)} />
          </Chart>
        ) : null}
        {days ? (
          <Chart title={texts.dayOfWeek()} sentences={[daysText(days), ofWeeks]}>
            <ShareBars label={texts.dayOfWeek()} ticks="below" bars={dayBars(days)} />
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

interface ChartProps {
  title: string
  /** The sentences below the chart. Those that are null are left out. */
  sentences: (string | null)[]
  children: ReactNode
}

function Chart({ title, sentences, children }: ChartProps) {
  const id = useId()
  const text = sentences.filter((sentence) => sentence !== null).join(' ')
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
