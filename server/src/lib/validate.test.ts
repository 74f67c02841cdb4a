import * as v from 'valibot'
import { expect, test } from 'vitest'
import { validate } from './validate.ts'

test('an array is no object, also not one without required fields', () => {
  const schemas = [v.object({}), v.object({ name: v.optional(v.string()) }), v.optional(v.nullable(v.object({})))]
  expect(schemas.map((schema) => validate(schema, []).success)).toEqual([false, false, false])
  expect(schemas.map((schema) => validate(schema, {}).success)).toEqual([true, true, true])
})

test('one fault is reported of each field, however many its list has', () => {
  const schema = v.object({
    list: v.pipe(v.array(v.object({ a: v.string(), b: v.string() })), v.maxLength(7)),
    name: v.string(),
  })
  const result = validate(schema, { list: Array(5_000).fill({}) })
  expect(!result.success && result.wrong.map(({ path }) => path)).toEqual(['list.0.a', 'name'])
})
