import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '@deeb/core/errors'

/** What a user can cause: thrown by an operation, turned into an answer once, in http/errors.ts. */
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
