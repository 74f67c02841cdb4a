import { LIMITS, type WindowRule } from '../limits/limits-table.ts'

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

/** SQL parameters, such as `$2`. */
interface MailRequest {
  recipient: string
  /** Saved with each mail: the network of an anonymous caller, or the account of a signed-in one. */
  askedBy: string
  now: string
}

/**
 * SQL: one more mail of this kind may go to the recipient. Exact for one recipient only under lockAddress(), since it
 * counts rows.
 */
export function mayMail(kind: keyof typeof BUDGETS, { recipient, askedBy, now }: MailRequest): string {
  const hasRoom = ({ max, seconds, share = 0 }: WindowRule, mails: string) =>
    `(select count(*) filter (where asked_by = ${askedBy}) * ${share} < ${max} - count(*) from auth.outbox
      where ${mails} and created_at > ${now}::timestamptz - interval '${seconds} seconds')`
  const { toOne, toAll } = BUDGETS[kind]
  return `(${hasRoom(toOne, `kind = '${kind}' and recipient = ${recipient}`)} and ${hasRoom(toAll, `kind = '${kind}'`)})`
}

/** SQL: what the audit log keeps of a mail that was not sent. `mail` and `mailed` are what was wanted and what was done. */
export function dropped(mail: string, mailed: string): string {
  return `(select coalesce(jsonb_object_agg('dropped', kind), '{}') from ${mail} where not exists (select from ${mailed}))`
}
