import * as texts from '@deeb/texts/pictures'
import * as statsTexts from '@deeb/texts/stats'
import { curveOf, MONTH, MonthOfRings, Picture, Signature, Words } from './drawing.tsx'
import { PictureSheet } from './PictureSheet.tsx'
import { hourText, TICKS, type YearFigures } from './year-figures.ts'

const WIDTH = 1080
const HEIGHT = 1350
const MARGIN = 80
const INNER = WIDTH - 2 * MARGIN
const COLUMNS = 4
const COLUMN_GAP = 48
const TOP = 236
const ROW = 248
const CURVE = { y: 1056, height: 150 }

/** A year of the user as a picture to save or share. */
export function YearPicture({ year, onClose }: { year: YearFigures; onClose: () => void }) {
  const { period, sum, most } = year
  const monthWidth = (INNER - (COLUMNS - 1) * COLUMN_GAP) / COLUMNS
  const scale = monthWidth / MONTH.width
  const { line, area } = curveOf(year.hourSeconds, INNER, CURVE.height)
  return (
    <PictureSheet title={statsTexts.yourYear()} fileName={`deeb-year-${year.to}`} hasSvg onClose={onClose}>
      {(ref, name) => (
        <Picture ref={ref} width={WIDTH} height={HEIGHT} label={texts.yearPicture({ period, sum, most })}>
          <Words x={MARGIN} y={122} size={44} weight={600}>
            {period}
          </Words>
          <Words x={MARGIN} y={174} size={32} isSoft>
            {name ? `${name} · ${sum}` : sum}
          </Words>
          <Signature x={WIDTH - MARGIN} y={80} />
          {year.months.map(({ month, name, days }, n) => {
            const x = MARGIN + (n % COLUMNS) * (monthWidth + COLUMN_GAP)
            const y = TOP + Math.floor(n / COLUMNS) * ROW
            return (
              <g key={month.firstDate} transform={`translate(${x} ${y})`}>
                <Words x={4} y={24} size={26} isSoft>
                  {name}
                </Words>
                <g transform={`translate(0 40) scale(${scale})`}>
                  <MonthOfRings month={month} days={days} />
                </g>
              </g>
            )
          })}
          <g transform={`translate(${MARGIN} ${CURVE.y})`}>
            <path d={area} fill="var(--line)" opacity={0.55} />
            <path d={line} fill="none" stroke="var(--ink)" strokeWidth={3} strokeLinejoin="round" />
            {TICKS.map((hour, n) => (
              <Words
                key={hour}
                x={(hour / 24) * INNER}
                y={CURVE.height + 46}
                size={26}
                anchor={n === 0 ? 'start' : n === TICKS.length - 1 ? 'end' : 'middle'}
                isSoft
              >
                {hourText(hour)}
              </Words>
            ))}
          </g>
        </Picture>
      )}
    </PictureSheet>
  )
}
