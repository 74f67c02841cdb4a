import * as v from 'valibot'
import { expect, test } from 'vitest'
import { validate } from './validate.ts'

test('an array is no object, also not one without required fields', () => {
  const schemas = [v.object({}), v.object({ name: v.optional(v.string()) }), v.optional(v.nullable(v.object({})))]
  expect(schemas.map((schema) => validate(schema, []).success)).toEqual([false, false, false])
  expect(schemas.map((schema) => validate(schema, {}).success)).toEqual([true, true, true])
})
