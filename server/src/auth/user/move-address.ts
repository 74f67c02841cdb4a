import { outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'

/**
 * SQL: CTEs that change the address of an account and notify the old one, unless another account has the new address. The entry of
 * the old address in a directory stays that of the account, so that a person who leaves is still found. They come
 * after a CTE `chosen` with `user_id` and `new_email`. `person` has the moved account: `id`, `email` and `encrypted_password`.
 * Parameters: `:now`, `:ip`, `:by` (person or directory) and those of `mailParams`.
 */
export const MOVE_ADDRESS = `before as (
    select users.id, users.email from auth.users join chosen on chosen.user_id = users.id
  ), person as (
    update auth.users set email = chosen.new_email, email_confirmed_at = :now, updated_at = :now from chosen
    where users.id = chosen.user_id
      and not exists (select from auth.users as other where other.email = chosen.new_email)
    returning users.id, users.email, users.encrypted_password
  ), former as (
    insert into auth.former_addresses (user_id, email, until)
    select before.id, before.email, :now from before join person on person.id = before.id
    on conflict (user_id, email) do update set until = excluded.until
  ), identity as (
    update auth.identities set identity_data = identity_data || jsonb_build_object('email', person.email),
      updated_at = :now
    from person where identities.user_id = person.id and provider = 'email'
  ), entries as (
    update auth.scim_users set user_id = person.id from before join person on person.id = before.id
    where scim_users.id in (
        select distinct on (provider_id) id from auth.scim_users where email = before.email and user_id is null
        order by provider_id, id)
      and not exists (select from auth.scim_users as other
        where other.provider_id = scim_users.provider_id and other.user_id = before.id)
  ), mailed as (
    ${outboxInsert({ recipient: 'before.email', from: 'before join person on person.id = before.id' })}
  ), logged as (
    ${auditInsert({ action: "'email_changed'", userId: 'id', detail: "jsonb_build_object('by', :by::text)", from: 'person' })}
  )`

/**
 * SQL: the directory of the company has changed the address of a row of auth.users in the last 24 hours. No link or code is emailed to
 * it then: someone with the token of the directory could otherwise take the account over by a mailbox of their own.
 */
export const IS_MOVED_BY_DIRECTORY = `exists (select from auth.audit_log where audit_log.user_id = users.id
    and action = 'email_changed' and detail->>'by' = 'directory' and at > :now::timestamptz - interval '24 hours')`
