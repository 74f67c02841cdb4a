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
  no_authorization: [401, 'This address needs a bearer token.'],
  bad_jwt: [403, 'The access token is not valid.'],
  session_not_found: [403, 'The session of this access token does not exist any more.'],
  otp_expired: [403, 'This link has expired or was already used.'],
  not_found: [404, 'There is nothing here.'],
  body_too_large: [413, 'The request is too large.'],
  json_required: [415, 'The request must be JSON.'],
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
}

/** What a caller can cause, or a shortage that passes: becomes an answer in dialect.ts. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly reasons: WeakPasswordReason[] | undefined

  constructor(code: AuthErrorCode, details: Details = {}) {
    const [status, message] = ANSWERS[code]
    super(details.message ?? message)
    this.code = code
    this.status = details.status ?? status
    this.reasons = details.reasons
  }
}
