import * as v from 'valibot'
import { expect, test } from 'vitest'
import { Instant, Int, LocalDate, maxCharacters, Uuid } from './formats.ts'

test.each([
  ['Uuid', Uuid, '01890a5d-ac96-774b-bcce-b302099a8057', true],
  ['Uuid', Uuid, '01890A5D-AC96-474B-8CCE-B302099A8057', true],
  ['Uuid', Uuid, '00000000-0000-0000-0000-000000000000', true],
  ['Uuid', Uuid, '01890a5d-ac96-974b-bcce-b302099a8057', false],
  ['Uuid', Uuid, '01890a5d-ac96-774b-ccce-b302099a8057', false],
  ['Uuid', Uuid, ' 01890a5d-ac96-774b-bcce-b302099a8057', false],
  ['LocalDate', LocalDate, '2024-02-29', true],
  ['LocalDate', LocalDate, '2000-02-29', true],
  ['LocalDate', LocalDate, '2026-02-29', false],
  ['LocalDate', LocalDate, '2100-02-29', false],
  ['LocalDate', LocalDate, '2026-04-31', false],
  ['LocalDate', LocalDate, '2026-6-15', false],
  ['LocalDate', LocalDate, '2026-06-15\n', false],
  ['Instant', Instant, '2024-02-29T23:59:59.999Z', true],
  ['Instant', Instant, '2026-02-29T00:00:00.000Z', false],
  ['Instant', Instant, '2026-06-15T24:00:00.000Z', false],
  ['Instant', Instant, '2026-06-15T09:00:60.000Z', false],
  ['Instant', Instant, '2026-06-15T09:00:00Z', false],
  ['Instant', Instant, '2026-06-15T09:00:00.000+02:00', false],
  ['Int', Int, Number.MAX_SAFE_INTEGER, true],
  ['Int', Int, Number.MAX_SAFE_INTEGER + 1, false],
  ['Int', Int, 1.5, false],
  ['Int', Int, Number.POSITIVE_INFINITY, false],
  ['Int', Int, '1', false],
])('%s accepts or rejects a value (case %#)', (_name, schema, value, isValid) => {
  expect(v.is(schema, value)).toBe(isValid)
})

test('maxCharacters counts code points', () => {
  const name = v.pipe(v.string(), maxCharacters(3))
  expect(['🦊🦊🦊', 'abc', '🦊🦊🦊🦊', 'abcd'].map((text) => v.is(name, text))).toEqual([true, true, false, false])
})
