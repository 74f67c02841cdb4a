import type { Config } from '../config.ts'
import { isLoopback } from '../loopback.ts'
import { relyingPartyOf } from './passkeys/relying-party.ts'

/** The public settings of this service, as auth-js reads them. */
export function settings({
  smtpUrl,
  host,
  passwordMinLength,
  publicUrl,
  isSignUpOn,
}: Pick<Config, 'smtpUrl' | 'host' | 'passwordMinLength' | 'publicUrl' | 'isSignUpOn'>) {
  // Others can reach this server, but it sends no email: users have to ask their administrator for their link.
  const mailStaysHere = smtpUrl === null && !isLoopback(host)
  return {
    external: { email: true, phone: false },
    disable_signup: !isSignUpOn,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    // Not a setting of GoTrue: the sign-up page says the rule before the first try.
    password_min_length: passwordMinLength,
    passkeys_enabled: relyingPartyOf(publicUrl) !== null,
    ...(mailStaysHere && { mailer: 'outbox' }),
  }
}
