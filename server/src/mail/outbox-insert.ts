import { randomUUID } from 'node:crypto'
import type { MailText } from './messages.ts'

/** All are SQL expressions. */
interface OutboxInsert {
  /** By default that of `mailParams`. */
  id?: string
  recipient: string
  /** The requester whose limit this uses; none by default. */
  askedBy?: string
  /** Kind, subject and body; by default those of `mailParams`. */
  text?: string
  /** The link by which the recipient stops emails of this kind; none by default. */
  unsubscribeUrl?: string
  /** The email is written if this has a row. */
  from: string
}

/** SQL: the insert that writes an email to the outbox, due at `:now`. Its parameters are those of `mailParams`. */
export function outboxInsert({
  id = ':mailId',
  recipient,
  askedBy = 'null',
  text = ':kind, :subject, :body',
  unsubscribeUrl = 'null',
  from,
}: OutboxInsert): string {
  return `insert into auth.outbox (id, kind, subject, body, recipient, asked_by, unsubscribe_url, created_at, next_try_at)
    select ${id}, ${text}, ${recipient}, ${askedBy}, ${unsubscribeUrl}, :now, :now from ${from}`
}

export function mailParams({ kind, subject, body }: MailText) {
  return { mailId: randomUUID(), kind, subject, body }
}
