import type { OutputOf } from '@deeb/core/endpoint'
import type { readCompany as endpoint } from '@deeb/core/report/api'
import { type CountedWeek, MIN_MEMBERS, reportOf } from '@deeb/core/report/figures'
import { comingMonday } from '@deeb/core/stats/weeks'
import type { ReportConfig } from '../config/config.ts'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { deactivatedOf } from '../presence/who-sees.ts'
import { countedWeeks, oldestWeek } from './counted-weeks.ts'

const read = statement(
  'report.read-company',
  `with me as (
    select company_domain, in_report from profiles where id = :userId
  ), deactivated as materialized (
    ${deactivatedOf('(select company_domain from me)')}
  )
  select me.company_domain as domain, in_report as "inReport", first_week as "firstWeek",
    (select count(*)::int from profiles where company_domain = (select company_domain from me)
      and id not in (select id from deactivated)) as members,
    ${countedWeeks('me.company_domain')} as weeks
  from me left join company_reports using (company_domain)`,
)

interface CompanyRow {
  domain: string | null
  inReport: boolean
  /** Null until the first hour after the company has ten accounts. */
  firstWeek: string | null
  members: number
  weeks: CountedWeek[]
}

/** Reads the report of the actor's company. It is the same for everybody there, but for `inReport`. */
export async function readCompany(
  db: Db,
  actor: Actor,
  { isOn, blur, hasGoals }: ReportConfig,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<CompanyRow>(read, { userId: actor.userId, oldestWeek: oldestWeek(now) })
  if (!row) throw new Refusal('not_signed_in')
  const { domain, members, inReport, weeks } = row
  const without = { domain, members, inReport, blur, firstWeek: null, report: null }
  if (!isOn) return { ...without, state: 'off' }
  if (domain === null) return { ...without, state: 'no_company' }
  if (members < MIN_MEMBERS) return { ...without, state: 'too_small' }
  const started = { ...without, firstWeek: row.firstWeek ?? comingMonday(now) }
  if (weeks.length === 0) return { ...started, state: 'starts' }
  const report = reportOf(weeks, members, hasGoals)
  return { ...started, state: report ? 'shown' : 'too_few', report }
}
