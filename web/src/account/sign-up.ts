import { FIRST_ACCOUNT } from '@deeb/core/account/first-account'
import { invitationOf, SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import * as texts from '@deeb/texts/signUp'
import { isAuthApiError } from '../session/auth-errors.ts'
import { authClient } from '../session/auth-session.ts'
import { showAddressFailure } from './address-failure.ts'
import { passwordFault, showUnexpected } from './auth-failure.ts'
import { showEmailSent } from './auth-queries.ts'
import { rememberSentLink, rememberSignUp } from './sent-link.ts'

/** The token of the link to the first account of the server. In memory only: the next user of this computer can reopen a closed tab. */
let firstAccount = takeToken()
window.addEventListener('hashchange', () => {
  firstAccount = takeToken() ?? firstAccount
})

/** Reads the token from the address bar, and removes it there. */
function takeToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get(FIRST_ACCOUNT)
  if (token !== null) window.history.replaceState(window.history.state, '', window.location.pathname)
  return token
}

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
  const data = {
    [SIGN_UP_DATA.browser]: browser,
    ...(join === null ? {} : { [SIGN_UP_DATA.join]: join }),
    ...(firstAccount === null ? {} : { [FIRST_ACCOUNT]: firstAccount }),
  }
  try {
    const { data: made, error } = await (await authClient()).signUp({ email, password, options: { data } })
    if (made.session) {
      firstAccount = null
      return true
    }
    if (error) {
      // Without the link the next try asks for an email.
      if (isAuthApiError(error) && error.code === 'otp_expired') firstAccount = null
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
