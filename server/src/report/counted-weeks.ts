import { mondayAt } from '@deeb/core/focus/split-by-day'
import { MIN_MEMBERS, WEEKS_READ } from '@deeb/core/report/figures'
import { mondayAfter } from '@deeb/core/stats/weeks'
import { isDeactivated } from '../presence/who-sees.ts'

/** Half a year: older weeks say nothing about a typical one. */
const MAX_WEEKS_OLD = 26

/** The value of `:oldestWeek`. */
export function oldestWeek(now: Date): string {
  return mondayAfter(mondayAt(now, 'UTC'), -MAX_WEEKS_OLD)
}

/**
 * SQL: the last counted weeks of a company from `:oldestWeek` on, as JSON of `CountedWeek` in chronological order. `domain` is an SQL
 * expression.
 */
export function countedWeeks(domain: string): string {
  return `(select coalesce(json_agg(json_build_object('week', week_start, 'members', members, 'people', people, 'minutes', minutes,
      'goals', goals, 'times', times, 'days', days, 'blur', blur) order by week_start), '[]')
    from (select * from company_weeks where company_weeks.company_domain = ${domain} and week_start >= :oldestWeek
      order by week_start desc limit ${WEEKS_READ}) as last_weeks)`
}

/** SQL: the company has ten accounts, which is no secret: colleagues find each other. `domain` is an SQL expression. */
export function hasTenMembers(domain: string): string {
  return `((select count(*) from (select from profiles as member where member.company_domain = ${domain}
    and not ${isDeactivated('member.id')} limit ${MIN_MEMBERS}) as members) = ${MIN_MEMBERS})`
}
