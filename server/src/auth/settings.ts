import type { Config } from '../config.ts'
import { isLoopback } from '../loopback.ts'

/** What a client may know of this service before anybody signs in. */
export function settings({ smtpUrl, host }: Pick<Config, 'smtpUrl' | 'host'>) {
  // Where others can reach the server but it sends no mail, people have to ask whoever runs it for their link.
  const mailStaysHere = smtpUrl === null && !isLoopback(host)
  return {
    external: { email: true, phone: false },
    disable_signup: false,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    ...(mailStaysHere && { mailer: 'outbox' }),
  }
}
