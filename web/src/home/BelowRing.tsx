import type { Home } from '../focus/day-queries.ts'
import ReportStart from '../report/ReportStart.tsx'
import { FirstHour } from './FirstHour.tsx'
import Until from './Until.tsx'

/** The lines below the status. A running session has them first, so that nothing disturbs it. */
export default function BelowRing({ home, elapsedSeconds }: { home: Home; elapsedSeconds: number }) {
  const { openSession, today, profile } = home
  if (openSession) return <Until home={home} session={openSession} elapsedSeconds={elapsedSeconds} />
  return today.isFirstHour ? <FirstHour userId={profile.id} /> : <ReportStart home={home} />
}
