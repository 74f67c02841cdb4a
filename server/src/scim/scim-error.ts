/** The error types of RFC 7644 that this server uses. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'uniqueness'

/** An error that a directory can cause. routes.ts turns it into a response. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, detail: string, scimType?: ScimType, retryAfterSeconds?: number) {
    super(detail)
    this.status = status
    this.scimType = scimType
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** A 400 with its type. */
export function badRequest(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, detail, scimType)
}

export function notFound(): ScimError {
  return new ScimError(404, 'This resource does not exist.')
}
