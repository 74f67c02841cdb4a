import './report.css'
import { APP_PATHS } from '@deeb/core/paths'
import { mondayText } from '@deeb/core/report/report-text'
import { useState } from 'react'
import { type Company, hasPage, useCompany } from '../company-page.ts'
import { FocusFrame } from '../FocusFrame.tsx'
import { wasEnteredFrom } from '../history.ts'
import { onboarded } from '../onboarded.tsx'
import { useHome } from '../stats/stats-queries.ts'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { DownloadWeeks } from './DownloadWeeks.tsx'
import { Figures } from './Figures.tsx'
import { Protection } from './Protection.tsx'

const TITLE = 'Your company'
const OF_PROFILE = { title: TITLE, parent: APP_PATHS.profile, backLabel: 'Back to Profile' }
const OF_SETTINGS = { title: TITLE, parent: APP_PATHS.settings, backLabel: 'Back to Settings' }

export default onboarded(CompanyScreen)

function CompanyScreen() {
  const [subPage] = useState(() => (wasEnteredFrom(APP_PATHS.settings) ? OF_SETTINGS : OF_PROFILE))
  const { data: home } = useHome()
  const { data, isError, refetch } = useCompany({ staleTime: 0 })
  return (
    <FocusFrame title={TITLE} focus={home} subPage={subPage}>
      {data ? hasPage(data) ? <Page company={data} /> : <NoPage /> : null}
      {!data && isError ? <LoadFailure title="The report could not be loaded" onRetry={() => void refetch()} /> : null}
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
        <p className="text-body text-pretty text-soft wrap-anywhere">
          Everybody at {domain} sees this page, and everybody sees the same.
        </p>
        {why === null ? null : <p className="company-sentence text-heading text-pretty wrap-anywhere">{why}</p>}
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
  if (state === 'too_small') return `The report begins when ${domain} has ten accounts. Now: ${members}.`
  if (state === 'starts' && firstWeek) return `From ${mondayText(firstWeek)}, deeb counts weeks for this page.`
  if (state === 'too_few') return 'Too few people use deeb for a number that means something.'
  return null
}

function NoPage() {
  return (
    <main className="column flex-1 pb-5">
      <p className="text-body text-pretty text-soft">There is no report for your company.</p>
    </main>
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
