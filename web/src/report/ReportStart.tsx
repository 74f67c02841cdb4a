import { APP_PATHS } from '@deeb/core/paths'
import { mondayText } from '@deeb/core/report/report-text'
import * as texts from '@deeb/texts/report'
import { Link } from 'wouter'
import { LANGUAGE } from '../device/language.ts'
import type { Home } from '../focus/day-queries.ts'

/**
 * The announcement on Home that the weeks of the company are counted, until that begins. It uses the lines of a running session, so
 * nothing moves.
 */
export default function ReportStart({ home: { reportFrom, openSession, today } }: { home: Home }) {
  // Offline, the Monday may have come since Home was read.
  if (!reportFrom || openSession || reportFrom <= today.date) return null
  return (
    <div className="home-report text-soft">
      <p className="text-pretty">{texts.announcement({ monday: mondayText(reportFrom, LANGUAGE) })}</p>
      <Link
        href={APP_PATHS.company}
        className="inline-flex min-h-11 flex-none items-center text-ink underline underline-offset-4"
      >
        {texts.readMore()}
      </Link>
    </div>
  )
}
