import { dayBars, lengthText, timeBars } from '@deeb/core/report/report-text'
import { BandLine } from '../../ui/BandLine.tsx'
import { ShareBars } from '../../ui/ShareBars.tsx'

const MEMBERS = 50
const PEOPLE = { value: 34, margin: 5 }
const AVERAGE_WEEK = { value: 570, margin: 45 }
const TIMES = [4, 17, 24, 12, 19, 16, 8]
const DAYS = [18, 26, 20, 17, 14, 5]
const PEOPLE_A_WEEK = [25, 27, 28, 27, 30, 32, 31, 33, 34].map((value, n) => ({
  name: n === 0 ? 'Sep' : n === 8 ? 'Nov' : `${n}`,
  value,
  margin: PEOPLE.margin,
}))

const SENTENCES = [
  {
    sentence: `In a typical week about ${PEOPLE.value} of ${MEMBERS} people use deeb.`,
    note: `give or take ${PEOPLE.margin}`,
  },
  {
    sentence: `They focus about ${lengthText(AVERAGE_WEEK.value)} a week each.`,
    note: `give or take ${lengthText(AVERAGE_WEEK.margin)}`,
  },
]

/** The alternative text of the picture, instead of its many parts. */
const ALTERNATIVE = `The page of a company in deeb: ${SENTENCES.map(({ sentence, note }) => `${sentence.slice(0, -1)}, ${note}.`).join(' ')} With a line of people a week and bars for the times of day and the days of the week.`

/** The page of a company. The figures are invented, and drawn by the app's own components, so that it always matches the product. */
export function ReportSheet() {
  return (
    <div className="report-sheet on-white" role="img" aria-label={ALTERNATIVE}>
      <div className="columns-6-6" inert>
        <div>
          {SENTENCES.map(({ sentence, note }) => (
            <div key={note}>
              <p className="heading-3">{sentence}</p>
              <p className="small">{note}</p>
            </div>
          ))}
          <p className="text-label">People a week</p>
          <BandLine label="People a week" of="People" points={PEOPLE_A_WEEK} />
        </div>
        <div>
          <p className="text-label">Time of day</p>
          <ShareBars label="Time of day" ticks="between" bars={timeBars(TIMES)} />
          <p className="text-label">Day of the week</p>
          <ShareBars label="Day of the week" ticks="below" bars={dayBars(DAYS)} />
        </div>
      </div>
    </div>
  )
}
