import type { Profile } from '@deeb/core/account/profile'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { localDayAt } from '@deeb/core/focus/split-by-day'
import type { DailyGoal } from '@deeb/core/goals/week-of-goals'
import type { readHome as endpoint } from '@deeb/core/home/api'
import type { ReportConfig } from '../config/config.ts'
import { type Db, lookup } from '../db/db.ts'
import { FOCUS_STATE_COLUMNS, FOCUS_STATE_JOINS, type FocusStateRow, focusState } from '../focus/focus-state.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { circlesAt, isDeactivated } from '../presence/who-sees.ts'
import { timeZoneOf } from '../profile/time-zone-of.ts'
import { quietOfHome, withIsoTimes } from '../quiet/quiet-times.ts'
import { focusDay } from '../stats/focus-day.ts'

/** On the day on which the focus time of all days reaches it, Home shows a door sign. Totals say so, so nothing is stored. */
const FIRST_HOUR_MINUTES = 60

const read = lookup(
  'stats.read-home',
  `select profiles.id, username, first_name as "firstName", last_name as "lastName", email,
    company_domain as "companyDomain", request_emails as "requestEmails", language,
    (select count(*)::int from team_connections where receiver_id = profiles.id and status = 'pending'
      and not ${isDeactivated('requester_id')}) as requests,
    (select coalesce(json_agg(json_build_object('dayOfWeek', day_of_week, 'goalMinutes', goal_minutes)
       order by day_of_week), '[]') from daily_goals where user_id = profiles.id) as goals,
    exists (select from deeb_sessions where user_id = profiles.id)
      or exists (select from focus_totals where user_id = profiles.id) as "hasSessions",
    coalesce((select total_seconds from daily_stats where user_id = profiles.id and date = :date), 0) as "savedSeconds",
    exists (select from focus_totals as totals
      left join daily_stats as today on today.user_id = totals.user_id and today.date = :date
      where totals.user_id = profiles.id and totals.total_minutes >= ${FIRST_HOUR_MINUTES}
        and totals.total_minutes - coalesce(today.total_minutes, 0) < ${FIRST_HOUR_MINUTES})
      and not exists (select from signs where user_id = profiles.id) as "isFirstHour",
    (select greatest(first_week, counted_from) from company_reports where company_reports.company_domain = profiles.company_domain
      and greatest(first_week, counted_from) > :date) as "reportFrom",
    (select coalesce(json_agg(json_build_object('sessionId', session_id, 'pressId', press.id)), '[]')
      from interruption_presses as press where press.user_id = profiles.id and session_id = running.id and counts) as presses,
    ${quietOfHome('profiles.id')} as quiet,
    ${FOCUS_STATE_COLUMNS}
  from profiles ${FOCUS_STATE_JOINS}
  where profiles.id = :userId`,
)

interface HomeRow extends Profile, FocusStateRow {
  goals: DailyGoal[]
  hasSessions: boolean
  isFirstHour: boolean
  savedSeconds: number
  requests: number
  reportFrom: string | null
  presses: { sessionId: string; pressId: string }[]
  quiet: { circleId: string; circle: string; startsAt: string; endsAt: string; switchOnId: string | null }[]
}

/**
 * The data of the home screen in one statement. "Today" is the current day in `timeZone`. Refuses with `invalid_time_zone`.
 */
export async function readHome(
  db: Db,
  actor: Actor,
  device: InputOf<typeof endpoint>,
  settings: { report: ReportConfig; circleSize: number },
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const timeZone = await timeZoneOf(db, actor, device, now)
  const today = localDayAt(now, timeZone)
  const [row] = await db.query<HomeRow>(read, {
    ...{ userId: actor.userId, date: today.date, dayEnd: today.endsAt },
    circlesAt: circlesAt(settings.circleSize, now),
  })
  if (!row) throw new Refusal('not_signed_in')
  const { id, username, firstName, lastName, email, companyDomain, requestEmails, language } = row
  const { goals, hasSessions, isFirstHour, savedSeconds, requests, presses, quiet } = row
  return {
    profile: { id, username, firstName, lastName, email, companyDomain, requestEmails, language },
    goals,
    hasSessions,
    today: { ...focusDay(today, savedSeconds), isFirstHour },
    requests,
    presses,
    quiet: quiet.map(withIsoTimes),
    reportFrom: settings.report.isOn ? row.reportFrom : null,
    ...focusState(row, now),
  }
}
