import { createTransport } from 'nodemailer'
import { isLoopback } from '../loopback.ts'
import type { Send } from './delivery.ts'
import { envelopeOf } from './envelope.ts'

const TIMEOUT_MS = 10_000

export interface Smtp {
  send: Send
  /** Rejects if the server cannot be reached or does not take our name and password. */
  verify(): Promise<void>
  /** Also what is on its way fails, and is tried again after the next start. */
  close(): void
}

/**
 * The operator's mail server. Nothing goes over the wire unencrypted or to a server that cannot prove its name, unless it is
 * on this machine: there nobody listens in, and a certificate is rarely made out to `localhost`.
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
