import { type Db, statement } from '../../db/db.ts'
import { outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'

/**
 * SQL: CTEs that remove the rows of a CTE `chosen` (`id`) from auth.identities and end the auth sessions that they opened, except
 * `:keptSessionId`. `gone` and `ended` have the removed rows, `people` their owners. `ip` is an SQL expression.
 */
export const removalOf = (ip: string) => `gone as (
    delete from auth.identities using chosen where identities.id = chosen.id
    returning identities.id, identities.user_id, identities.provider, identities.sso_provider_id
  ), people as (
    update auth.users set updated_at = :now, raw_app_meta_data = raw_app_meta_data || jsonb_build_object('providers', (
      select coalesce(jsonb_agg(named), '[]')
      from jsonb_array_elements_text(coalesce(raw_app_meta_data->'providers', '[]')) as named
      where not exists (select from gone where gone.user_id = users.id and gone.provider = named)))
    where id in (select user_id from gone) returning id, email
  ), ended as (
    delete from auth.sessions using gone
    where sessions.user_id = gone.user_id and sessions.sso_provider_id = gone.sso_provider_id
      and sessions.id is distinct from :keptSessionId::uuid
    returning sessions.id
  ), logged as (
    ${auditInsert({
      action: "'identity_unlinked'",
      userId: 'user_id',
      ip,
      detail: "jsonb_build_object('identity', id)",
      from: 'gone',
    })}
  )`

/** SQL: a CTE that notifies the owners of removed identities, after removalOf(). Parameters: those of `mailParams`. */
export const REMOVAL_MAILED = `mailed as (
    ${outboxInsert({ recipient: 'email', from: 'people' })}
  )`

const removeForeign = statement(
  'auth.remove-foreign-identities',
  `with chosen as (
    select identities.id from auth.identities join auth.users on users.id = user_id
    where sso_provider_id is not null and (users.id = :userId::uuid or :userId::uuid is null) and not exists (
      select from auth.sso_domains where domain = users.email_domain and sso_domains.provider_id = sso_provider_id)
  ), ${removalOf('null')}
  select array(select id::text from ended) as ended`,
)

/**
 * Removes the identities whose provider does not speak for the domain of their account any more: after a change of the address of
 * `userId`, or for everybody after a change of domains. Returns the ids of the auth sessions that ended.
 */
export async function removeForeignIdentities(db: Db, userId: string | null, now: Date): Promise<string[]> {
  const [removed] = await db.query<{ ended: string[] }>(removeForeign, { userId, keptSessionId: null, now })
  return removed?.ended ?? []
}
