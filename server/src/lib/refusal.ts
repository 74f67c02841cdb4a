import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@deeb/core/errors'

/**
 * An error that a user can cause. Operations throw it; http/errors.ts turns it into a response. `retryAfterSeconds` is the header
 * `Retry-After`.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly fields: ErrorBody['fields']
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, fields?: ErrorBody['fields'], retryAfterSeconds?: number) {
    super(code)
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}
