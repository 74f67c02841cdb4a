import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@deeb/core/errors'

/** An error that a user can cause. Operations throw it; http/errors.ts turns it into a response. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly fields: ErrorBody['fields']

  constructor(code: ErrorCode, fields?: ErrorBody['fields']) {
    super(code)
    this.code = code
    this.fields = fields
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}
