import { invitationOf, SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import * as texts from '@deeb/texts/signIn'
import { isAuthApiError } from '../session/auth-errors.ts'
import { authClient } from '../session/auth-session.ts'
import { showAddressFailure } from './address-failure.ts'
import { passwordFault, showUnexpected } from './auth-failure.ts'
import { showEmailSent } from './auth-queries.ts'
import { firstAccountToken, forgetFirstAccountToken } from './first-account.ts'
import { rememberSentLink, rememberSignUp } from './sent-link.ts'

/**
 * Signs up and shows the result in a toast. The person joins what `invite` invites to when the address is confirmed. Resolves to whether a
 * confirmation email was sent or the first account of the server was made, or to what is wrong with the password.
 */
export async function signUp(
  { email, password }: { email: string; password: string },
  invite: string | null = null,
): Promise<boolean | { passwordFault: string }> {
  const browser = makeSecret()
  const join = invite === null ? null : (invitationOf(invite)?.circle ?? null)
  const first = firstAccountToken()
  const data = {
    [SIGN_UP_DATA.browser]: browser,
    ...(join === null ? {} : { [SIGN_UP_DATA.join]: join }),
    ...(first === null ? {} : { [SIGN_UP_DATA.first]: first }),
  }
  try {
    const { data: made, error } = await (await authClient()).signUp({ email, password, options: { data } })
    if (made.session) {
      forgetFirstAccountToken()
      return true
    }
    if (error) {
      // Without the link the next try asks for an email.
      if (isAuthApiError(error) && error.code === 'otp_expired') forgetFirstAccountToken()
      showAddressFailure(texts.signUpFailed(), error, email)
      const fault = passwordFault(error)
      return fault === undefined ? false : { passwordFault: fault }
    }
  } catch {
    showUnexpected()
    return false
  }
  rememberSentLink('signup', email)
  // The link of the email brings a circle back; the invitation of a company is known here only.
  rememberSignUp({ email: email.trim().toLowerCase(), secret: browser, invite: join === null ? invite : null })
  showEmailSent(texts.accountCreated(), texts.verifyByEmail())
  return true
}

/** 128 random bits in base64url. */
function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
