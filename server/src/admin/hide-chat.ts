import { CHAT_SYSTEM_FACTS, CHAT_SYSTEMS } from '@deeb/core/status/systems'
import { auditInsert } from '../auth/audit-insert.ts'
import { type Db, statement } from '../db/db.ts'

const hide = statement(
  'admin.hide-chat',
  `with made as (
    insert into status_hidden (company_domain, system) values (:domain, :system) on conflict do nothing returning system
  ), ended as (
    update status_links set user_id = null from profiles
    where profiles.id = status_links.user_id and company_domain = :domain and system = :system
    returning status_links.id
  ), logged as (
    ${auditInsert({ action: "'company_changed'", userId: 'null', ip: 'null', detail: "jsonb_build_object('domain', :domain::text, 'chat_hidden', system)", from: 'made' })}
  )
  select count(*)::int as count from ended`,
)

const show = statement(
  'admin.show-chat',
  `with gone as (
    delete from status_hidden where company_domain = :domain and system = :system returning system
  )
  ${auditInsert({ action: "'company_changed'", userId: 'null', ip: 'null', detail: "jsonb_build_object('domain', :domain::text, 'chat_shown', system)", from: 'gone' })}`,
)

/**
 * Hides a chat system from the people of a company, and disconnects those who have connected it; or allows it again. It connects
 * nobody. Idempotent. Throws if there is no such system.
 */
export async function hideChat(
  db: Db,
  { domain, systemName, isHidden }: { domain: string; systemName: string; isHidden: boolean },
  now: Date,
): Promise<string[]> {
  const system = CHAT_SYSTEMS.find((one) => one === systemName.toLowerCase())
  if (!system) throw new Error(`There is no chat system "${systemName}". There are ${CHAT_SYSTEMS.join(', ')}.`)
  const { name } = CHAT_SYSTEM_FACTS[system]
  if (!isHidden) {
    await db.query(show, { domain, system, now })
    return [`People of ${domain} may show deeb mode in ${name}, if this server offers it.`]
  }
  const [ended] = await db.query<{ count: number }>(hide, { domain, system, now })
  return [`People of ${domain} cannot show deeb mode in ${name} any more. Disconnected ${ended?.count ?? 0}.`]
}
