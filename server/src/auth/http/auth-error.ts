/** Every code this service answers with, its HTTP status and its text. Names are those that auth-js knows. */
const ANSWERS = {
  validation_failed: [400, 'The request is not what this address expects.'],
  bad_json: [400, 'The request body is not JSON.'],
  invalid_credentials: [400, 'Invalid login credentials'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_banned: [400, 'This account is blocked.'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  current_password_required: [400, 'The current password is needed.'],
  current_password_invalid: [400, 'The current password is wrong.'],
  reauthentication_needed: [400, 'Sign in to this account first, or enter its password.'],
  insufficient_aal: [401, 'A code of your second factor is needed first.'],
  no_authorization: [401, 'This address needs a bearer token.'],
  bad_jwt: [403, 'The access token is not valid.'],
  session_not_found: [403, 'The session of this access token does not exist any more.'],
  mfa_verification_rejected: [
    403,
    'There were too many wrong codes. Choose a new password with "Forgot password?" first.',
  ],
  otp_expired: [403, 'This link has expired or was already used.'],
  mfa_factor_not_found: [404, 'There is no such factor.'],
  manual_linking_disabled: [404, 'Accounts are not linked here.'],
  saml_provider_disabled: [404, 'There is no single sign-on here.'],
  not_found: [404, 'There is nothing here.'],
  another_account: [409, 'Another account is signed in here. Sign out first.'],
  body_too_large: [413, 'The request is too large.'],
  json_required: [415, 'The request must be JSON.'],
  over_request_rate_limit: [429, 'Too many attempts. Try again later.'],
  over_email_send_rate_limit: [429, 'Too many attempts. Try again later.'],
  same_password: [422, 'The new password is the same as the old one.'],
  mfa_challenge_expired: [422, 'This try has expired. Ask for another one.'],
  mfa_factor_name_conflict: [422, 'There is a factor with this name already.'],
  mfa_phone_enroll_not_enabled: [422, 'Phones are no second factor here.'],
  mfa_verification_failed: [422, 'The code is wrong or was already used.'],
  mfa_webauthn_enroll_not_enabled: [422, 'Security keys are no second factor here.'],
  too_many_enrolled_mfa_factors: [422, 'There are too many factors already.'],
  otp_disabled: [422, 'There is no sign-in by mail here.'],
  web3_provider_disabled: [422, 'There is no sign-in by wallet here.'],
  weak_password: [422, 'The password is too weak.'],
  anonymous_provider_disabled: [422, 'An email address is needed.'],
  unexpected_failure: [503, 'The server cannot answer right now. Try again shortly.'],
} as const

export type AuthErrorCode = keyof typeof ANSWERS

/** The reasons that auth-js has a type for. */
export type WeakPasswordReason = 'length' | 'characters' | 'pwned'

interface Details {
  /** A sentence for the person, where the usual one says too little. */
  message?: string
  /** Where the same code has another status than usual. */
  status?: number
  /** For `weak_password`. */
  reasons?: WeakPasswordReason[]
  /** For a 429 or a 503; a few seconds if nothing is said. */
  retryAfterSeconds?: number
}

/** What a caller can cause, or a shortage that passes: becomes an answer in dialect.ts. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly reasons: WeakPasswordReason[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: AuthErrorCode, details: Details = {}) {
    const [status, message] = ANSWERS[code]
    super(details.message ?? message)
    this.code = code
    this.status = details.status ?? status
    this.reasons = details.reasons
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Whether a failure came of what the client sent, and so may count as a try. A busy server or database is not its fault. */
export function isClients(error: unknown): boolean {
  return error instanceof AuthError && error.status < 500
}
