import type { OutgoingMail } from './delivery.ts'

/** The headers of an email. The Message-ID is stable, so that mail programs can deduplicate an email that is sent twice. */
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
