import type { Language } from '@deeb/core/languages'
import { LIMITS, type WindowRule } from '../limits/limits-table.ts'
import type { MailText } from './messages.ts'
import { mailParams, outboxInsert } from './outbox-insert.ts'

/**
 * The limits of emails that any requester can trigger, by kind. Each kind has its own limits, so that sign-ups cannot use up those
 * of recovery. Notices of a change to an account have no limit.
 */
const BUDGETS = {
  recovery: { toOne: LIMITS.recoveryToOne, toAll: LIMITS.recoveryToAll },
  already: { toOne: LIMITS.alreadyToOne, toAll: LIMITS.alreadyToAll },
  confirm: { toOne: LIMITS.confirmToOne, toAll: LIMITS.confirmToAll },
  sso_code: { toOne: LIMITS.companyCodeToOne, toAll: LIMITS.companyCodeToAll },
  email_change: { toOne: LIMITS.emailChangeToOne, toAll: LIMITS.emailChangeToAll },
} satisfies Record<string, { toOne: WindowRule; toAll: WindowRule }>

/**
 * SQL: one more email of this kind may be sent to `:email`. It uses the limit of `:askedBy`: the network of an anonymous caller,
 * the account of a signed-in user, or the identity of a company sign-in. It counts rows, so it is exact for one recipient only under lockAddress().
 */
export function mayMail(kind: keyof typeof BUDGETS): string {
  const hasRoom = ({ max, seconds, share = 0 }: WindowRule, counted: string) =>
    `(select count(*) filter (where asked_by = :askedBy) * ${share} < ${max} - count(*) from auth.outbox
      where ${counted} and created_at > :now::timestamptz - interval '${seconds} seconds')`
  const { toOne, toAll } = BUDGETS[kind]
  return `(${hasRoom(toOne, `kind = '${kind}' and recipient = :email`)} and ${hasRoom(toAll, `kind = '${kind}'`)})`
}

/**
 * SQL: the rows of a CTE named `mail`: the two emails of `eitherMailParams`, for an address with and without an account. Select one
 * by `is_known`. The email to an address without an account also needs `condition`.
 */
export function eitherMail(kind: 'confirm' | 'email_change', condition = 'true'): string {
  return `select kind, texts, case when is_known then ${mayMail('already')}
      else ${condition} and ${mayMail(kind)} end as is_allowed
    from (values (false, :kind, :mailTexts), (true, :knownKind, :knownTexts)) as mail (is_known, kind, texts)`
}

export function eitherMailParams({ unknown, known }: { unknown: MailText; known: MailText }, language: Language) {
  return { ...mailParams(unknown, language), knownKind: known.kind, knownTexts: JSON.stringify(known.texts) }
}

/** SQL: the CTE `mailed`. It writes the allowed rows of the CTE `mail` (kind, texts, is_allowed) to the outbox. `language`: see outboxInsert(). */
export function mailed(language = ':mailLanguage'): string {
  return `mailed as (
    ${outboxInsert({
      ...{ recipient: ':email', askedBy: ':askedBy', kind: 'kind', texts: 'texts', language },
      from: 'mail where is_allowed',
    })}
    returning id
  )`
}

/** SQL: the audit detail of an email that the limits dropped, from the CTEs `mail` and `mailed`. */
export const DROPPED_MAIL =
  "(select coalesce(jsonb_object_agg('dropped', kind), '{}') from mail where not exists (select from mailed))"
