import './report.css'
import { APP_PATHS } from '@deeb/core/paths'
import { mondayText } from '@deeb/core/report/report-text'
import * as texts from '@deeb/texts/report'
import { useState } from 'react'
import { Redirect } from 'wouter'
import { wasEnteredFrom } from '../device/history.ts'
import { LANGUAGE } from '../device/language.ts'
import { useHome } from '../focus/day-queries.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { type Company, hasPage, useCompany } from '../stats/company-page.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { DownloadWeeks } from './DownloadWeeks.tsx'
import { Figures } from './Figures.tsx'
import { Protection } from './Protection.tsx'

const OF_PROFILE = { parent: APP_PATHS.profile, backLabel: texts.backToProfile }
const OF_SETTINGS = { parent: APP_PATHS.settings, backLabel: texts.backToSettings }

export default onboarded(CompanyScreen)

function CompanyScreen() {
  const [{ parent, backLabel }] = useState(() => (wasEnteredFrom(APP_PATHS.settings) ? OF_SETTINGS : OF_PROFILE))
  const { data: home } = useHome()
  const { data, isError, refetch } = useCompany({ staleTime: 0 })
  if (data && !hasPage(data)) return <Redirect to={parent} replace />
  const title = texts.title()
  return (
    <FocusFrame title={title} focus={home} subPage={{ title, parent, backLabel: backLabel() }}>
      {data ? <Page company={data} /> : null}
      {!data && isError ? <LoadFailure title={texts.loadFailed()} onRetry={() => void refetch()} /> : null}
      {!data && !isError ? <CompanySkeleton /> : null}
    </FocusFrame>
  )
}

function Page({ company }: { company: Company }) {
  const { domain, state, members, blur, report } = company
  const why = withoutFigures(company)
  return (
    <main className="company columns flex-1 pb-5">
      <div>
        <p className="text-body text-pretty text-soft wrap-anywhere">{texts.seenByAll({ domain: domain ?? '' })}</p>
        {why === null ? null : (
          <div className="company-sentence">
            <p className="text-heading text-pretty wrap-anywhere">{why}</p>
            {state === 'too_small' ? <OfTen members={members} /> : null}
            <p className="mt-4 text-body text-pretty">{texts.toCome()}</p>
          </div>
        )}
        {report ? <Figures report={report} members={members} /> : null}
      </div>
      <div>
        <Protection blur={blur} />
        {domain !== null && (state === 'shown' || state === 'too_few') ? <DownloadWeeks domain={domain} /> : null}
      </div>
    </main>
  )
}

/** Why there are no figures; null if there are. */
function withoutFigures({ domain, state, members, firstWeek }: Company): string | null {
  if (state === 'too_small') return texts.tooSmall({ domain: domain ?? '', members })
  if (state === 'starts' && firstWeek) return texts.starts({ monday: mondayText(firstWeek, LANGUAGE) })
  if (state === 'too_few') return texts.tooFew()
  return null
}

/** The middles of ten circles in a row. */
const TEN = Array.from({ length: 10 }, (_, n) => 12 + n * 28)

/** How many accounts there are of the ten that a report needs: people as Team draws them. */
function OfTen({ members }: { members: number }) {
  return (
    <svg viewBox="0 0 276 24" width={276} className="mt-4 max-w-full" fill="none" strokeWidth={4} aria-hidden="true">
      {TEN.map((x, n) => (
        <circle key={x} cx={x} cy={12} r={n < members ? 12 : 10} className={n < members ? 'fill-ink' : 'stroke-line'} />
      ))}
    </svg>
  )
}

function CompanySkeleton() {
  return (
    <ScreenSkeleton className="company columns flex-1 pb-5">
      <div>
        <Skeleton shape="line" className="h-4 w-40" />
        {['people', 'average', 'goal'].map((sentence) => (
          <Skeleton key={sentence} shape="line" className="mt-6 h-10" />
        ))}
        <Skeleton shape="block" className="mt-10 h-37" />
      </div>
    </ScreenSkeleton>
  )
}
