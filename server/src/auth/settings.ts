import type { Config } from '../config.ts'
import { isLoopback } from '../loopback.ts'

/** The public settings of this service, as auth-js reads them. */
export function settings({ smtpUrl, host }: Pick<Config, 'smtpUrl' | 'host'>) {
  // Others can reach this server, but it sends no email: users have to ask their administrator for their link.
  const mailStaysHere = smtpUrl === null && !isLoopback(host)
  return {
    external: { email: true, phone: false },
    disable_signup: false,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    ...(mailStaysHere && { mailer: 'outbox' }),
  }
}
