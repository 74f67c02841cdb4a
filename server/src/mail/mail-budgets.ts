import { LIMITS, type WindowRule } from '../limits/limits-table.ts'
import type { MailText } from './messages.ts'
import { mailParams, outboxInsert } from './outbox-insert.ts'

/**
 * Mail that any requester can cause, by its kind in the outbox. Each kind has budgets of its own, so that sign-ups never
 * use up recovery. Notices of a change to an account have none.
 */
const BUDGETS = {
  recovery: { toOne: LIMITS.recoveryToOne.rule, toAll: LIMITS.recoveryToAll.rule },
  already: { toOne: LIMITS.alreadyToOne.rule, toAll: LIMITS.alreadyToAll.rule },
  confirm: { toOne: LIMITS.confirmToOne.rule, toAll: LIMITS.confirmToAll.rule },
  email_change: { toOne: LIMITS.emailChangeToOne.rule, toAll: LIMITS.emailChangeToAll.rule },
} satisfies Record<string, { toOne: WindowRule; toAll: WindowRule }>

/**
 * SQL: one more email of this kind may go to `:email`. It uses the budget of `:askedBy`: the network of an anonymous caller,
 * or the account of a signed-in one. Exact for one recipient only under lockAddress(), since it counts rows.
 */
export function mayMail(kind: keyof typeof BUDGETS): string {
  const hasRoom = ({ max, seconds, share = 0 }: WindowRule, mails: string) =>
    `(select count(*) filter (where asked_by = :askedBy) * ${share} < ${max} - count(*) from auth.outbox
      where ${mails} and created_at > :now::timestamptz - interval '${seconds} seconds')`
  const { toOne, toAll } = BUDGETS[kind]
  return `(${hasRoom(toOne, `kind = '${kind}' and recipient = :email`)} and ${hasRoom(toAll, `kind = '${kind}'`)})`
}

/**
 * SQL: the rows of a CTE named `mail` for an address that may have an account: the two emails of `eitherMailParams`, of which
 * a condition on `is_known` selects one. `condition` must hold too for the email to an address without an account.
 */
export function eitherMail(kind: 'confirm' | 'email_change', condition = 'true'): string {
  return `select kind, subject, body, case when is_known then ${mayMail('already')}
      else ${condition} and ${mayMail(kind)} end as is_allowed
    from (values (false, :kind, :subject, :body), (true, :knownKind, :knownSubject, :knownBody))
      as mail (is_known, kind, subject, body)`
}

export function eitherMailParams({ unknown, known }: { unknown: MailText; known: MailText }) {
  return { ...mailParams(unknown), knownKind: known.kind, knownSubject: known.subject, knownBody: known.body }
}

/** SQL: the CTE `mailed`. It writes what the CTE `mail` (kind, subject, body, is_allowed) holds, if that is allowed. */
export const MAILED = `mailed as (
    ${outboxInsert({ recipient: ':email', askedBy: ':askedBy', text: 'kind, subject, body', from: 'mail where is_allowed' })}
    returning id
  )`

/** SQL: what the audit log keeps of a mail that was not sent, from `mail` and `mailed`. */
export const DROPPED_MAIL =
  "(select coalesce(jsonb_object_agg('dropped', kind), '{}') from mail where not exists (select from mailed))"
