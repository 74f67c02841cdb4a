import type { OutgoingMail } from './delivery.ts'

/**
 * The headers of an email. The Message-ID is stable, so that mail programs can deduplicate an email that is sent twice. An email
 * that can be stopped has the headers of RFC 8058, by which mail programs show a button for it.
 */
export function envelopeOf({ id, recipient, subject, unsubscribeUrl, createdAt }: OutgoingMail, mailFrom: string) {
  const [, host = 'localhost'] = /@([^\s>]+)/.exec(mailFrom) ?? []
  return {
    from: mailFrom,
    to: { name: '', address: recipient },
    subject,
    date: createdAt,
    messageId: `<${id}@${host}>`,
    ...(unsubscribeUrl !== null && { headers: unsubscribeHeaders(unsubscribeUrl) }),
  }
}

function unsubscribeHeaders(url: string) {
  return {
    // Prepared: a folded URL would confuse some mail programs.
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}
