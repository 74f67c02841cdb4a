import * as v from 'valibot'

/** A field that was refused. */
interface WrongField {
  /** Such as `goals.0.dayOfWeek`; empty for the whole input. */
  path: string
  /** Without the value that was sent, which may be a secret. */
  message: string
}

type Validated<Schema extends v.GenericSchema> =
  | { success: true; output: v.InferOutput<Schema> }
  | { success: false; wrong: WrongField[] }

/**
 * Validates the input of a request, an object. It reports one fault in each of its fields at most, since a list may have thousands.
 * Valibot would accept an array as an object without fields.
 */
export function validate<Schema extends v.GenericSchema>(schema: Schema, input: unknown): Validated<Schema> {
  const result = v.safeParse(Array.isArray(input) ? v.never('Expected an object.') : schema, input, {
    abortEarly: true,
  })
  if (result.success) return { success: true, output: result.output as v.InferOutput<Schema> }
  const byField = Object.entries(entriesOf(schema, input)).flatMap(([name, entry]) => {
    const { issues = [] } = v.safeParse(v.object({ [name]: entry }), input, { abortEarly: true })
    return issues.map(wrongField)
  })
  return { success: false, wrong: byField.length > 0 ? byField : result.issues.map(wrongField) }
}

/** The fields of an object; none if the schema or the input is another type. */
function entriesOf(schema: v.GenericSchema, input: unknown): v.ObjectEntries {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject && 'entries' in schema ? (schema.entries as v.ObjectEntries) : {}
}

function wrongField(issue: v.BaseIssue<unknown>): WrongField {
  return { path: v.getDotPath(issue) ?? '', message: issue.message.replace(` but received ${issue.received}`, '') }
}
