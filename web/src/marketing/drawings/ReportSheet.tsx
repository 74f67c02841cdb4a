import { dayBars, timeBars } from '@deeb/core/report/report-text'
import { lengthText } from '@deeb/core/stats/ring'
import * as reportTexts from '@deeb/texts/report'
import * as texts from '@deeb/texts/site'
import { LANGUAGE } from '../../device/language.ts'
import { BandLine } from '../../ui/BandLine.tsx'
import { ShareBars } from '../../ui/ShareBars.tsx'

const MEMBERS = 50
const PEOPLE = { value: 34, margin: 5 }
const AVERAGE_WEEK = { value: 570, margin: 45 }
const TIMES = [4, 17, 24, 12, 19, 16, 8]
const DAYS = [18, 26, 20, 17, 14, 5]
const PEOPLE_A_WEEK = [25, 27, 28, 27, 30, 32, 31, 33, 34].map((value, n) => ({
  name: n === 0 ? monthName(8) : n === 8 ? monthName(10) : `${n}`,
  value,
  margin: PEOPLE.margin,
}))

/** The page of a company. The figures are invented, and drawn by the app's own components, so that it always matches the product. */
export function ReportSheet() {
  const [length, lengthMargin] = [lengthText(AVERAGE_WEEK.value), lengthText(AVERAGE_WEEK.margin)]
  const sentences = [
    {
      sentence: reportTexts.people({ value: PEOPLE.value, members: MEMBERS }),
      note: reportTexts.averageWeekNote({ length: PEOPLE.margin }),
    },
    { sentence: reportTexts.averageWeek({ length }), note: reportTexts.averageWeekNote({ length: lengthMargin }) },
  ]
  // Instead of the many parts of the picture.
  const alternative = texts.report({
    people: PEOPLE.value,
    members: MEMBERS,
    peopleMargin: PEOPLE.margin,
    length,
    lengthMargin,
  })
  return (
    <div className="report-sheet on-white" role="img" aria-label={alternative}>
      <div className="columns-6-6" inert>
        <div>
          {sentences.map(({ sentence, note }) => (
            <div key={note}>
              <p className="heading-3">{sentence}</p>
              <p className="small">{note}</p>
            </div>
          ))}
          <p className="text-label">{reportTexts.peopleAWeek()}</p>
          <BandLine label={reportTexts.peopleAWeek()} of={reportTexts.peopleColumn()} points={PEOPLE_A_WEEK} />
        </div>
        <div>
          <p className="text-label">{reportTexts.timeOfDay()}</p>
          <ShareBars label={reportTexts.timeOfDay()} ticks="between" bars={timeBars(TIMES, LANGUAGE)} />
          <p className="text-label">{reportTexts.dayOfWeek()}</p>
          <ShareBars label={reportTexts.dayOfWeek()} ticks="below" bars={dayBars(DAYS)} />
        </div>
      </div>
    </div>
  )
}

/** `Sep`, from the number of months after January. */
function monthName(month: number): string {
  return new Intl.DateTimeFormat(LANGUAGE, { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2026, month))
}
