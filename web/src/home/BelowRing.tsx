import './below-ring.css'
import { lazyPart } from '../device/lazy-part.tsx'
import type { Home } from '../focus/day-queries.ts'
import { useNow } from '../focus/use-now.ts'
import { QuietLine } from '../quiet/QuietLine.tsx'
import { quietNow } from '../quiet/quiet-now.ts'
import ReportStart from '../report/ReportStart.tsx'
import { useAlerts } from '../team/alerts-queries.ts'
import { FirstHour } from './FirstHour.tsx'
import Until from './Until.tsx'

const KnockLine = lazyPart(() => import('../team/KnockLine.tsx'))

/**
 * The lines below the status, the first of these that is due: a knock, those of a running session, so that nothing else disturbs it, a
 * quiet time, the first hour, and the start of the company's report.
 */
export default function BelowRing({ home, elapsedSeconds }: { home: Home; elapsedSeconds: number }) {
  const { openSession, today, profile } = home
  const [knocker] = useAlerts().data?.knocks?.received ?? []
  const endOf = (now: Date) => quietNow(home.quiet, now)?.endsAt ?? ''
  const now = useNow(Boolean(home.quiet?.length), { stepOf: endOf })
  const knock = knocker ? <KnockLine person={knocker} /> : null
  if (openSession) return <Until home={home} session={openSession} elapsedSeconds={elapsedSeconds} instead={knock} />
  if (knock) return knock
  const quiet = quietNow(home.quiet, now)
  if (quiet) return <QuietLine userId={profile.id} quiet={quiet} />
  return today.isFirstHour ? <FirstHour userId={profile.id} /> : <ReportStart home={home} />
}
