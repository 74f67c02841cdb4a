import { SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import * as texts from '@deeb/texts/signIn'
import { authClient } from '../session/auth-session.ts'
import { showAddressFailure } from './address-failure.ts'
import { passwordFault, showUnexpected } from './auth-failure.ts'
import { showEmailSent } from './auth-queries.ts'
import { rememberSentLink, rememberSignUp } from './sent-link.ts'

/**
 * Signs up and shows the result in a toast. With `join`, the person joins that circle when the address is confirmed. Resolves to whether a
 * confirmation email was sent, or to what is wrong with the password.
 */
export async function signUp(
  { email, password }: { email: string; password: string },
  join: string | null = null,
): Promise<boolean | { passwordFault: string }> {
  const browser = makeSecret()
  const data = { [SIGN_UP_DATA.browser]: browser, ...(join === null ? {} : { [SIGN_UP_DATA.join]: join }) }
  try {
    const { error } = await (await authClient()).signUp({ email, password, options: { data } })
    if (error) {
      showAddressFailure(texts.signUpFailed(), error, email)
      const fault = passwordFault(error)
      return fault === undefined ? false : { passwordFault: fault }
    }
  } catch {
    showUnexpected()
    return false
  }
  rememberSentLink('signup', email)
  rememberSignUp(email.trim().toLowerCase(), browser)
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
