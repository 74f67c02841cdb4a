import type { OutgoingMail } from './delivery.ts'

/** All of a message but its text. A mail that is sent twice has the same Message-ID twice, so that it can be told. */
export function envelopeOf({ id, recipient, subject, createdAt }: OutgoingMail, mailFrom: string) {
  const [, host = 'localhost'] = /@([^\s>]+)/.exec(mailFrom) ?? []
  return {
    from: mailFrom,
    to: { name: '', address: recipient },
    subject,
    date: createdAt,
    messageId: `<${id}@${host}>`,
  }
}
