import './profile.css'
import './year.css'
import { APP_PATHS } from '@deeb/core/paths'
import { MIN_WEEKS_OF_YEAR, weeksOf } from '@deeb/core/stats/year'
import * as statsTexts from '@deeb/texts/stats'
import * as texts from '@deeb/texts/year'
import { useMemo, useState } from 'react'
import { dateText, noonOf } from '../device/local-date.ts'
import { useHome } from '../focus/day-queries.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { Button } from '../ui/Button.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { WeekPicture } from '../ui/pictures.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { curveOf } from './drawing.tsx'
import { YearCalendar } from './YearCalendar.tsx'
import { YearPicture } from './YearPicture.tsx'
import { hourText, TICKS, type YearFigures, yearFigures } from './year-figures.ts'
import { useYear, type Year } from './year-queries.ts'

export default onboarded(YearScreen)

function YearScreen() {
  const { data: home } = useHome()
  const { data, isError, refetch } = useYear()
  const title = statsTexts.yourYear()
  const subPage = { title, parent: APP_PATHS.profile, backLabel: texts.back() }
  return (
    <FocusFrame title={title} focus={home} subPage={subPage}>
      {data ? <Shown year={data} /> : null}
      {!data && isError ? <LoadFailure title={texts.failed()} onRetry={() => void refetch()} /> : null}
      {!data && !isError ? <YearSkeleton /> : null}
    </FocusFrame>
  )
}

function Shown({ year }: { year: Year }) {
  const weeks = weeksOf(year.days.map(({ date }) => date))
  return weeks < MIN_WEEKS_OF_YEAR ? <TooEarly weeks={weeks} /> : <YearView year={year} />
}

function TooEarly({ weeks }: { weeks: number }) {
  return (
    <main className="column flex-1 pt-2 text-center wide:frame">
      <div className="flex justify-center gap-2" aria-hidden="true">
        {Array.from({ length: MIN_WEEKS_OF_YEAR }, (_, week) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the weeks keep their places
          <WeekPicture key={week} isOver={week < weeks} />
        ))}
      </div>
      <p className="mt-5 text-name">{texts.weeksSoFar({ count: weeks, all: MIN_WEEKS_OF_YEAR })}</p>
      <p className="mt-2 text-body text-pretty text-soft">{texts.tooEarly()}</p>
    </main>
  )
}

function YearView({ year }: { year: Year }) {
  const figures = useMemo(() => yearFigures(year), [year])
  const [isOpen, setIsOpen] = useState(false)
  const [firstDay] = year.days
  const hasOlderDays = year.hoursFrom !== null && firstDay !== undefined && firstDay.date < year.hoursFrom
  return (
    <main className="year columns flex-1 pb-5">
      <YearCalendar year={figures} />
      <div className="mt-8 wide:mt-0">
        {figures.most ? <Hours year={figures} /> : null}
        {hasOlderDays && year.hoursFrom ? (
          <p className="mt-2 text-note text-pretty text-soft">
            {texts.hoursSince({ date: dateText(noonOf(year.hoursFrom)) })}
          </p>
        ) : null}
        <div className="mt-6">
          <Button kind="secondary" onClick={() => setIsOpen(true)}>
            {texts.saveOrShare()}
          </Button>
        </div>
      </div>
      {isOpen ? <YearPicture year={figures} onClose={() => setIsOpen(false)} /> : null}
    </main>
  )
}

const CURVE = { width: 240, height: 60 }

function Hours({ year: { hourSeconds, most } }: { year: YearFigures }) {
  const { line, area } = curveOf(hourSeconds, CURVE.width, CURVE.height)
  return (
    <section className="year-hours">
      <h2 className="text-label">{texts.hours()}</h2>
      <svg viewBox={`0 0 ${CURVE.width} ${CURVE.height}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={area} className="year-area" />
        <path d={line} className="year-line" vectorEffect="non-scaling-stroke" />
      </svg>
      <p className="year-ticks text-note text-soft" aria-hidden="true">
        {TICKS.map((hour) => (
          <span key={hour}>{hourText(hour)}</span>
        ))}
      </p>
      <p className="mt-2 text-body text-pretty">{most}</p>
    </section>
  )
}

function YearSkeleton() {
  return (
    <ScreenSkeleton className="year columns">
      <div>
        <Skeleton shape="line" className="h-6 w-48 max-w-3/5" />
        <Skeleton shape="block" className="mt-6 h-96" />
      </div>
      <div className="mt-8 wide:mt-0">
        <Skeleton shape="block" className="h-36" />
      </div>
    </ScreenSkeleton>
  )
}
