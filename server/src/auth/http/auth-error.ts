import { DatabaseOutage } from '../../db/db.ts'

/** Every error code of this service with its HTTP status and message. The codes are GoTrue's, which auth-js passes on. */
const ANSWERS = {
  validation_failed: [400, 'The request is not valid for this URL.'],
  bad_code_verifier: [400, 'This sign-in began in another app or browser. Try again.'],
  bad_json: [400, 'The request body is not JSON.'],
  invalid_credentials: [400, 'Invalid login credentials'],
  email_not_confirmed: [400, 'Email not confirmed'],
  user_banned: [400, 'This account is blocked.'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  session_expired: [400, 'Invalid Refresh Token: Session Expired'],
  current_password_required: [400, 'Enter your current password.'],
  current_password_invalid: [400, 'The current password is wrong.'],
  reauthentication_needed: [400, 'Sign in to this account first, or enter its password.'],
  webauthn_challenge_not_found: [400, 'This request is unknown or was already used. Try again.'],
  webauthn_challenge_expired: [400, 'This request has expired. Try again.'],
  webauthn_verification_failed: [400, 'The passkey could not be verified.'],
  insufficient_aal: [401, 'Enter a code of your second factor first.'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  bad_jwt: [403, 'The access token is not valid.'],
  session_not_found: [403, 'The session of this access token has ended.'],
  mfa_verification_rejected: [403, 'Too many wrong codes. Choose a new password with "Forgot password?" first.'],
  otp_expired: [403, 'This link has expired or was already used.'],
  mfa_factor_not_found: [404, 'This factor does not exist.'],
  passkey_disabled: [404, 'This server does not support passkeys.'],
  webauthn_credential_not_found: [404, 'This passkey does not exist.'],
  flow_state_not_found: [404, 'This sign-in is unknown or was already used. Try again.'],
  identity_not_found: [404, 'This company account is not connected.'],
  sso_provider_not_found: [404, 'No company signs in to this server with this domain.'],
  not_found: [404, 'This URL does not exist.'],
  another_account: [409, 'Another account is signed in here. Sign out first.'],
  body_too_large: [413, 'The request is too large.'],
  json_required: [415, 'The request must be JSON.'],
  over_request_rate_limit: [429, 'Too many attempts. Try again later.'],
  over_email_send_rate_limit: [429, 'Too many attempts. Try again later.'],
  email_address_not_authorized: [422, 'This company account may not sign in to this server. Ask your administrator.'],
  flow_state_expired: [422, 'This sign-in took too long. Try again.'],
  identity_already_exists: [422, 'This company account, or this deeb account, is already connected with another one.'],
  provider_email_needs_verification: [422, 'Enter the code that was emailed.'],
  user_sso_managed: [422, 'Your company manages this account. Continue with the sign-in of your company.'],
  second_factor_required: [422, 'Your company requires a second factor. Add another one before you remove this one.'],
  same_password: [422, 'The new password is the same as the old one.'],
  mfa_challenge_expired: [422, 'This challenge has expired. Start a new one.'],
  mfa_factor_name_conflict: [422, 'A factor with this name already exists.'],
  mfa_phone_enroll_not_enabled: [422, 'This server does not support phones as a second factor.'],
  mfa_recovery_codes_sole_factor: [422, 'Add an authenticator app before you make recovery codes.'],
  mfa_verified_factor_exists: [422, 'This account already has recovery codes.'],
  mfa_verification_failed: [422, 'Invalid TOTP code entered'],
  mfa_webauthn_enroll_not_enabled: [422, 'This server does not support security keys as a second factor.'],
  too_many_enrolled_mfa_factors: [422, 'This account has too many factors. Remove one first.'],
  too_many_passkeys: [422, 'This account has too many passkeys. Remove one first.'],
  webauthn_credential_exists: [422, 'This passkey is already registered.'],
  otp_disabled: [422, 'This server does not support sign-in by email link.'],
  web3_provider_disabled: [422, 'This server does not support sign-in by wallet.'],
  signup_disabled: [422, 'This server accepts no sign-ups. Ask your administrator how to get an account.'],
  single_identity_not_deletable: [422, 'This is the only way to sign in to this account. Set a password first.'],
  weak_password: [422, 'The password is too weak.'],
  anonymous_provider_disabled: [422, 'Enter an email address.'],
  unexpected_failure: [503, 'The server cannot answer right now. Try again shortly.'],
} as const

export type AuthErrorCode = keyof typeof ANSWERS

/** The reasons in the types of auth-js. */
export type WeakPasswordReason = 'length' | 'characters' | 'pwned'

interface Details {
  /** A more specific message for the user. */
  message?: string
  /** Another status for the same code. */
  status?: number
  /** For `weak_password`. */
  reasons?: WeakPasswordReason[]
  /** For a 429 or a 503; 5 by default. */
  retryAfterSeconds?: number
}

/** An error that a caller can cause, or a temporary overload. gotrue-errors.ts turns it into a response. */
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

/** Whether the server was busy or the database was not there, so that the attempt does not count. A caller cannot cause either. */
export function isServers(error: unknown): boolean {
  return error instanceof DatabaseOutage || (error instanceof AuthError && error.status >= 500)
}

/** Whether the client caused the error, so that it counts as an attempt. A busy server or database (5xx) does not count. */
export function isClients(error: unknown): boolean {
  return error instanceof AuthError && error.status < 500
}
