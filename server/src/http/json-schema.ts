import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'

/** Describes what a schema returns: text is transformed already, and no object has fields that are not named. */
const OF_OUTPUT: ConversionConfig = {
  ignoreActions: ['trim', 'to_lower_case'],
  // The flag `u` of a pattern is no error: JSON Schema implies it.
  overrideAction: ({ valibotAction, jsonSchema }) => (valibotAction.type === 'regex' ? jsonSchema : undefined),
  overrideSchema({ valibotSchema: { type }, jsonSchema }) {
    if (type === 'object') return closed(jsonSchema)
    if (type === 'nullable') return flat(jsonSchema)
    return type === 'literal' ? { type: typeof jsonSchema.const as 'string' | 'boolean', ...jsonSchema } : undefined
  },
}

/** The JSON Schema of what `schema` returns. */
export function jsonSchema(schema: GenericSchema): JsonSchema {
  const { $schema, ...rest } = toJsonSchema(schema, OF_OUTPUT)
  return rest
}

/** A field with a default is always there. */
function closed({ properties = {}, required = [], ...rest }: JsonSchema): JsonSchema {
  const isThere = ([name, field]: [string, JsonSchema | boolean]) =>
    required.includes(name) || (typeof field === 'object' && field.default !== undefined)
  const names = Object.entries(properties)
    .filter(isThere)
    .map(([name]) => name)
  return { ...rest, properties, ...(names.length > 0 && { required: names }), additionalProperties: false }
}

/** `anyOf` makes a serializer validate each value. */
function flat(jsonSchema: JsonSchema): JsonSchema {
  const [value] = jsonSchema.anyOf ?? []
  if (typeof value !== 'object' || typeof value.type !== 'string' || Object.keys(value).length > 1) return jsonSchema
  return { type: [value.type, 'null'] }
}
