import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { parseEmail } from '@deeb/core/account/email'
import { auditInsert } from '../auth/audit-insert.ts'
import { GRACE_DAYS, NEEDS_FACTOR } from '../auth/required-factor.ts'
import { type Db, statement } from '../db/db.ts'
import { publishToServers } from '../live/postgres-bus.ts'

const requireFactor = statement(
  'admin.require-second-factor',
  `with made as (
    insert into auth.second_factor_domains (domain, required_from, created_at)
    values (:domain, (:now::timestamptz at time zone 'UTC')::date + ${GRACE_DAYS}, :now)
    on conflict do nothing returning required_from
  ), logged as (
    ${auditInsert({ action: "'company_changed'", userId: 'null', ip: 'null', detail: "jsonb_build_object('domain', :domain::text, 'second_factor', required_from)", from: 'made' })}
  )
  select to_char(required_from, 'YYYY-MM-DD') as "requiredFrom" from made
  union all select to_char(required_from, 'YYYY-MM-DD') from auth.second_factor_domains where domain = :domain`,
)

/* The snapshot of this statement is from before the removal: it finds the auth sessions that are refused until now. */
const stopRequiring = statement(
  'admin.stop-requiring-second-factor',
  `with gone as (
    delete from auth.second_factor_domains where domain = :domain returning domain
  ), logged as (
    ${auditInsert({ action: "'company_changed'", userId: 'null', ip: 'null', detail: "jsonb_build_object('domain', domain, 'second_factor', null)", from: 'gone' })}
  )
  select array(select sessions.id::text from auth.sessions join auth.users on users.id = sessions.user_id
    where users.email_domain = :domain and ${NEEDS_FACTOR}) as waiting from gone`,
)

/**
 * Requires a second factor of the people of a company from 14 days later on, or no longer. `requireSecondFactor` twice keeps the first
 * day. Throws if the domain is that of no company, or does not require it.
 */
export async function requireSecondFactor(
  db: Db,
  { domain, isOn }: { domain: string; isOn: boolean },
  policy: CompanyPolicy,
  now: Date,
): Promise<string[]> {
  if (isOn) {
    const [, company] = parseEmail(`someone@${domain}`)?.split('@') ?? []
    if (!company || companyOf(`someone@${company}`, policy) !== company)
      throw new Error(`${domain} is no domain of a company.`)
    const [required] = await db.query<{ requiredFrom: string }>(requireFactor, { domain: company, now })
    return [
      `People with an address at ${company} need a second factor or a passkey from ${required?.requiredFrom} on. Accounts younger than ${GRACE_DAYS} days have until they are.`,
    ]
  }
  const [gone] = await db.query<{ waiting: string[] }>(stopRequiring, { domain: domain.toLowerCase(), now })
  if (!gone) throw new Error(`${domain} does not require a second factor.`)
  await publishToServers(db, { sessionIds: gone.waiting })
  return [`People with an address at ${domain} no longer need a second factor.`]
}
