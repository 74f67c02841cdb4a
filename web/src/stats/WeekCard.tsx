import { WEEK_FROM_MONDAY } from '@deeb/core/goals/week-of-goals'
import { weekdayLetter, weekdayName } from '@deeb/core/goals/weekday-names'
import { hoursAndMinutes, ringFill } from '@deeb/core/stats/ring'
import { barLabel, type DayInMinutes, sumOfDays } from '@deeb/core/stats/week-figures'
import { mondayAfter, weekText } from '@deeb/core/stats/weeks'
import * as texts from '@deeb/texts/pictures'
import { LANGUAGE } from '../device/language.ts'
import { ABOVE_GOAL, heightsOf, pixelsPerUnit } from '../ui/WeekBars.tsx'
import { GoalRing, Picture, Signature, Words } from './drawing.tsx'
import { PictureSheet } from './PictureSheet.tsx'

const SIZE = 1080
const MARGIN = 96
const BARS = { baseline: 916, scale: 1.3, width: 44 }

interface WeekCardProps {
  monday: string
  /** Monday to Sunday. */
  days: readonly DayInMinutes[]
  onClose: () => void
}

/** A week of the user as a picture to save or share: ring and bars, without figures of others. */
export function WeekCard({ monday, days, onClose }: WeekCardProps) {
  const { minutes, goalMinutes } = sumOfDays(days)
  const time = hoursAndMinutes(minutes)
  // With its year: the picture is looked at later.
  const week = weekText(monday, mondayAfter(monday, 2 * 53), LANGUAGE)
  const label = texts.weekPicture({
    ...{ week, time, goal: hoursAndMinutes(goalMinutes) },
    days: days.map((day, n) => barLabel(weekdayName(WEEK_FROM_MONDAY[n] ?? 0), day)).join(', '),
  })
  return (
    <PictureSheet title={texts.week()} fileName={`deeb-week-${monday}`} onClose={onClose}>
      {(ref, name) => (
        <Picture ref={ref} width={SIZE} height={SIZE} label={label}>
          <Words x={MARGIN} y={138} size={44} weight={600}>
            {week}
          </Words>
          {name ? (
            <Words x={MARGIN} y={188} size={34} isSoft>
              {name}
            </Words>
          ) : null}
          <Signature x={SIZE - MARGIN} y={96} />
          <GoalRing cx={SIZE / 2} cy={448} r={200} width={42} {...ringFill(minutes, goalMinutes)} />
          <Words x={SIZE / 2} y={472} size={70} weight={600} anchor="middle">
            {time}
          </Words>
          <Bars days={days} />
        </Picture>
      )}
    </PictureSheet>
  )
}

function Bars({ days }: { days: readonly DayInMinutes[] }) {
  const bars = days.map(({ minutes, goalMinutes }) => ({ value: minutes, goal: goalMinutes }))
  const scale = pixelsPerUnit(bars)
  return bars.map((bar, n) => {
    const dayOfWeek = WEEK_FROM_MONDAY[n] ?? 0
    const { goal, reached, excess } = heightsOf(bar, scale)
    const x = MARGIN + 40 + (n / 6) * (SIZE - 2 * MARGIN - 80)
    const column = { x: -BARS.width / 2, width: BARS.width, rx: 6 }
    return (
      <g key={dayOfWeek}>
        <g transform={`translate(${x} ${BARS.baseline}) scale(1 ${-BARS.scale})`}>
          <rect {...column} height={goal} fill="var(--line)" opacity={0.55} />
          <rect {...column} height={reached} fill="var(--ink)" />
          <rect {...column} y={goal + ABOVE_GOAL} height={excess} fill="var(--green)" />
          <rect x={-BARS.width / 2 - 6} width={BARS.width + 12} y={goal - 1} height={2} rx={1} fill="var(--edge)" />
        </g>
        <Words x={x} y={BARS.baseline + 56} size={34} anchor="middle" isSoft>
          {weekdayLetter(dayOfWeek)}
        </Words>
      </g>
    )
  })
}
