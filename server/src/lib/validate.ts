import * as v from 'valibot'

/** Validates the input of a request, an object. Valibot would accept an array as an object without fields. */
export function validate<Schema extends v.GenericSchema>(schema: Schema, input: unknown) {
  return v.safeParse(Array.isArray(input) ? v.never('Expected an object.') : schema, input)
}
