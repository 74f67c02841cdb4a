import * as v from 'valibot'

/** Every error code of /api and its HTTP status. The client has the texts for people. */
export const ERROR_STATUS = {
  invalid_input: 400,
  invalid_time_zone: 400,
  invalid_email: 400,
  not_signed_in: 401,
  aal2_required: 403,
  second_factor_required: 403,
  wrong_password: 403,
  proof_needed: 403,
  scope_needed: 403,
  not_found: 404,
  session_not_found: 404,
  link_expired: 404,
  session_overlaps: 409,
  too_late: 409,
  ahead_of_time: 409,
  too_many_sessions: 409,
  too_many_alerts: 409,
  too_many_knocks: 409,
  too_many_webhooks: 409,
  download_running: 409,
  username_taken: 409,
  request_exists: 409,
  connection_exists: 409,
  circles_off: 409,
  quiet_times_changed: 409,
  circle_full: 409,
  too_many_circles: 409,
  chat_refused: 409,
  chat_taken: 409,
  chat_unavailable: 409,
  too_many_signs: 409,
  too_many_cases: 409,
  too_many_tokens: 409,
  body_too_large: 413,
  json_required: 415,
  too_many_attempts: 429,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** The body of every error response of /api. */
export const ErrorBody = v.object({
  code: v.picklist(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
  message: v.string(),
  requestId: v.string(),
  /** The invalid fields of the input, for `invalid_input`: a dotted path and a sentence. */
  fields: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
})

export type ErrorBody = v.InferOutput<typeof ErrorBody>
