import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../testing/runs.ts'
import { type FilterColumn, parseFilter } from './filter.ts'
import { parsePath } from './path.ts'
import { ScimError } from './scim-error.ts'

const NAMES: Record<FilterColumn, string[]> = {
  userName: ['userName', 'USERNAME', 'urn:ietf:params:scim:schemas:core:2.0:User:userName'],
  externalId: ['externalId'],
  id: ['id'],
  active: ['active'],
  email: ['emails.value', 'emails', 'emails[type eq "work"].value', 'emails[ type  EQ work ].value'],
}

/** A text as a value of a filter: quoted, or bare where the grammar allows it. */
const spellings = (text: string) =>
  /^[^\s"()[\]]+$/.test(text) ? fc.constantFrom(JSON.stringify(text), text) : fc.constant(JSON.stringify(text))

const text = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'))

/** A filter as text, and what it says. */
const filters = fc
  .uniqueArray(fc.constantFrom(...(Object.keys(NAMES) as FilterColumn[])), { minLength: 1 })
  .chain((columns) =>
    fc.tuple(
      ...columns.map((column) =>
        column === 'active'
          ? fc
              .boolean()
              .chain((value) =>
                fc
                  .constantFrom(`${value}`, `"${value}"`, value ? 'True' : '"False"')
                  .map((spelled) => ({ column, value, spelled })),
              )
          : text.chain((value) => spellings(value).map((spelled) => ({ column, value, spelled }))),
      ),
    ),
  )
  .chain((parts) =>
    fc.tuple(
      fc.constant(parts),
      fc.tuple(...parts.map(({ column }) => fc.constantFrom(...NAMES[column]))),
      fc.constantFrom(' ', '  ', '\t'),
    ),
  )

/** Returns the type of the error that a parser throws; null if it accepts. */
function refusalOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof ScimError) return error.scimType ?? 'none'
    throw error
  }
}

test('threat 68: a filter is read back as it was written (property test)', () => {
  fc.assert(
    fc.property(filters, ([parts, names, space]) => {
      const written = parts.map(({ spelled }, i) => [names[i], 'eq', spelled].join(space)).join(`${space}AND${space}`)
      const expected = Object.fromEntries(parts.map(({ column, value }) => [column, value]))
      expect(parseFilter(written)).toEqual(expected)
    }),
    runs(500, 20_000),
  )
})

const FRAGMENTS = [
  'userName',
  'eq',
  '"x"',
  'and',
  'or',
  'not',
  '(',
  ')',
  '[',
  ']',
  ' ',
  '"',
  '\\',
  "'",
  ';',
  '--',
  '.value',
  'co',
  'pr',
  '\0',
]

test('threat 68: any other text is refused, or names known attributes only (property test)', () => {
  const any = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...FRAGMENTS)).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(any, (text) => {
      const refusal = refusalOf(() =>
        expect(Object.keys(NAMES)).toEqual(expect.arrayContaining(Object.keys(parseFilter(text) ?? {}))),
      )
      expect([null, 'invalidFilter']).toContain(refusal)
    }),
    runs(2_000, 50_000),
  )
})

test.each([
  '',
  ' ',
  'userName',
  'userName eq',
  'userName eq "x',
  'userName eq "x" and',
  'userName eq "x" or id eq "y"',
  'not (userName eq "x")',
  '(userName eq "x")',
  'userName co "x"',
  'userName pr',
  'userName eq "x" userName eq "y"',
  'userName eq "x" and userName eq "y"',
  'userName eq "\\x"',
  'userName eq "\\u0000"',
  'active eq "maybe"',
])('the filter %s is refused', (text) => {
  expect(refusalOf(() => parseFilter(text))).toBe('invalidFilter')
})

test('threat 68: a path is parsed or refused, in linear time (property test)', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(fc.constantFrom(...FRAGMENTS)).map((parts) => parts.join('')),
      ),
      (text) => {
        expect([null, 'invalidPath']).toContain(refusalOf(() => parsePath(text)))
      },
    ),
    runs(2_000, 50_000),
  )
  const started = performance.now()
  for (const nasty of [
    `a[${'"'.repeat(30_000)}`,
    `a[${'\\"'.repeat(30_000)}]`,
    `a${'.a'.repeat(30_000)}`,
    `urn:${':'.repeat(60_000)}x y`,
  ]) {
    refusalOf(() => parsePath(nasty))
    refusalOf(() => parseFilter(nasty))
    refusalOf(() => parseFilter(`userName eq ${nasty}`))
  }
  expect(performance.now() - started).toBeLessThan(1_000)
})

test.each([
  ['Name.GivenName', { name: 'name', filter: null, sub: 'givenname' }],
  ['emails[type eq "work"].value', { name: 'emails', filter: 'type eq "work"', sub: 'value' }],
  ['emails[value eq "a]b"]', { name: 'emails', filter: 'value eq "a]b"', sub: null }],
  ['urn:ietf:params:scim:schemas:core:2.0:User:active', { name: 'active', filter: null, sub: null }],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User', { name: 'enterprise', filter: null, sub: null }],
  [
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
    { name: 'enterprise', filter: null, sub: 'department' },
  ],
])('the path %s', (text, path) => {
  expect(parsePath(text)).toEqual(path)
})

test.each([
  'id eq "x" and manager eq "y"',
  'displayName eq "x"',
  'name.familyName eq "x"',
  'emails[type eq "home"].value eq "x"',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "x"',
  'password eq "x"',
])('the filter %s matches nobody: the attribute is not kept', (text) => {
  expect(parseFilter(text)).toBeNull()
})

test.each(['emails[type eq "work"] eq "x@y.example"', 'emails[type eq work].value eq "x@y.example"'])(
  'the filter %s asks for the address at work',
  (text) => {
    expect(parseFilter(text)).toEqual({ email: 'x@y.example' })
  },
)
