import { createTransport } from 'nodemailer'
import { isLoopback } from '../config/loopback.ts'
import type { Send } from './delivery.ts'
import { envelopeOf } from './envelope.ts'

const TIMEOUT_MS = 10_000

export interface Smtp {
  send: Send
  /** Rejects if the mail server is unreachable or rejects the login. */
  verify(): Promise<void>
  /** Closes all connections. Emails that are being sent fail and are retried after the next start. */
  close(): void
}

/**
 * Sends emails through the mail server of SMTP_URL. Requires TLS and a valid certificate, except for a mail server on this machine:
 * few certificates are issued for `localhost`.
 */
export function createSmtp(smtpUrl: string, mailFrom: string): Smtp {
  const isOurs = isLoopback(new URL(smtpUrl).hostname)
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    requireTLS: !isOurs,
    tls: { rejectUnauthorized: !isOurs },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(mail) {
      await transport.sendMail({ ...envelopeOf(mail, mailFrom), text: mail.body })
    },
    async verify() {
      await transport.verify()
    },
    close: () => transport.close({ force: true }),
  }
}
