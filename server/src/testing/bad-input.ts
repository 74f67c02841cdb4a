import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type * as v from 'valibot'
import { validate } from '../lib/validate.ts'

/*
 * Generators of bad input for the fuzz test of every route, http/bad-input.test.ts.
 */

/** Strings that are valid JSON but that PostgreSQL cannot store. */
const UNSTORABLE_TEXT = ['\0', 'x\0y', '\ud800', 'x\udc00y', '\ufffe']
const ODD_TEXT = [
  ...UNSTORABLE_TEXT,
  ...[
    '',
    ' ',
    '%',
    '%00',
    '\\',
    "'; drop table profiles; --",
    '../../etc/passwd',
    '{{7*7}}',
    '\r\nx-evil: 1',
    '\u202e',
  ],
  ...[
    '__proto__',
    'constructor',
    'null',
    'NaN',
    '9'.repeat(400),
    'x'.repeat(3_000),
    '\u{1f9a6}'.repeat(500),
    '\u0301'.repeat(500),
  ],
]
/** NUL, half a surrogate pair, a noncharacter, invisible and bidirectional controls, a combining mark, a space. */
const ODD_CHARACTERS = [
  '\0',
  '\ud800',
  '\udc00',
  '\ufffe',
  '\u0085',
  '\u200b',
  '\u202e',
  '\u0301',
  '\u00a0',
  '\u{e0102}',
  '%00',
]
const DEEP = 200

function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 0; level < levels; level++) value = level % 2 ? { a: value } : [value]
  return value
}

/** Prototype pollution: JSON.parse creates own members with these names. */
const WITH_PROTOTYPES = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"a":1}},"toString":1}')

const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    2 ** 31,
    [],
    {},
    [[]],
    WITH_PROTOTYPES,
    nested(DEEP),
  ),
  fc.constantFrom<unknown>(...ODD_TEXT),
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
)

type Path = (string | number)[]

/** The paths to the value itself, its members and their members. */
function pathsIn(value: unknown): Path[] {
  if (typeof value !== 'object' || value === null) return [[]]
  const inner = Object.entries(value).flatMap(([key, member]) => pathsIn(member).map((path) => [key, ...path]))
  return [[], ...inner]
}

function changedAt(value: unknown, path: Path, change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return change(value)
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  const members = copy as Record<string, unknown>
  members[key] = changedAt(members[key], rest, change)
  return copy
}

const change = fc.oneof(
  fc.constant(() => undefined),
  oddValue.map((odd) => () => odd),
  fc.constant((old: unknown) => [old]),
  fc.constant((old: unknown) => ({ ...Object(old), ...WITH_PROTOTYPES })),
  fc.constant((old: unknown) => `${JSON.stringify(old)}`.repeat(100)),
)

/** `valid` with one to three parts that are missing, of another type, too long, too deeply nested or impossible to store. */
function changed(valid: unknown): fc.Arbitrary<unknown> {
  const once = fc.tuple(fc.constantFrom(...pathsIn(valid)), change)
  return fc
    .array(once, { minLength: 1, maxLength: 3 })
    .map((all) =>
      all.reduce(
        (value, [path, change]) =>
          path.length && !Object(value)[path[0] ?? ''] ? value : changedAt(value, path, change),
        valid,
      ),
    )
}

/** Values that `schema` rejects, similar to valid ones. */
export function wrongValue(schema: v.GenericSchema, valid: unknown): fc.Arbitrary<unknown> {
  // Filters on the value as JSON: undefined members are missing, and an empty body is read as an empty object.
  return fc
    .oneof({ weight: 4, arbitrary: changed(valid) }, { weight: 1, arbitrary: oddValue })
    .filter((value) => !validate(schema, value === undefined ? {} : (JSON.parse(JSON.stringify(value)) ?? {})).success)
}

/** One character more, or 200 of it, anywhere in a text that is valid otherwise. */
const oneMore = fc
  .record({
    odd: fc.constantFrom(...ODD_CHARACTERS),
    times: fc.constantFrom(1, 1, 200),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ odd, times, at }) => (text: string) => {
    const place = Math.round(at * text.length)
    return text.slice(0, place) + odd.repeat(times) + text.slice(place)
  })

/** Values that `schema` accepts, with unusual text in every free text field. */
export function oddlyFilled(schema: v.GenericSchema, valid: unknown): fc.Arbitrary<unknown> {
  const other = fc.oneof(fc.constantFrom(...ODD_TEXT), fc.string({ unit: 'binary', maxLength: 60 }))
  const odd = fc.oneof(
    other.map((text) => () => text),
    oneMore,
  )
  const texts = pathsIn(valid).filter(
    (path) => typeof path.reduce<unknown>((at, key) => Object(at)[key], valid) === 'string',
  )
  const fill = fc.tuple(...texts.map(() => fc.option(odd, { freq: 3 })))
  return fill.map((words) =>
    texts.reduce((value, path, i) => {
      const change = words[i]
      const filled = change ? changedAt(value, path, (old) => change(String(old))) : value
      return validate(schema, filled).success ? filled : value
    }, valid),
  )
}

/** Bodies that are not JSON, or that our parser rejects. */
export const brokenJson: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom(
    '{',
    '{"a":',
    '[1,]',
    '{"a":1}}',
    'undefined',
    'NaN',
    "{'a':1}",
    '\ufeff{',
    '"\\ud8"',
    '\0',
    '{"a":1}\0',
  ),
  fc.constant('['.repeat(8_000)),
  fc.uint8Array({ minLength: 1, maxLength: 60 }).map((bytes) => Buffer.from([0x7b, 0xff, ...bytes])),
  fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !isJson(text)),
)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return text.trim() === ''
  }
}

export const wrongType: fc.Arbitrary<string> = fc.constantFrom(
  ...['text/plain', 'text/html', 'multipart/form-data; boundary=x', 'application/xml', 'application/octet-stream'],
  ...['application/jsonx', 'json', '/', ';', 'application/json5; charset=utf-16', 'x'.repeat(2_000)],
)

/** Header values that a real connection can carry: printable ASCII and Latin-1. */
const headerText = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    ',',
    ';',
    'null',
    'x'.repeat(4_000),
    '\u00ff\u00fe',
    '__proto__',
    '"',
    'W/"',
    '2**31',
    'a=b; deeb=; =',
    'deeb=%00',
    '%ff',
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 40 }),
)

/** Headers that do not belong to the request or to this server. */
export const absurdHeaders: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.constantFrom(
    ...[
      'x-client-info',
      'user-agent',
      'cookie',
      'origin',
      'sec-fetch-site',
      'if-none-match',
      'if-modified-since',
      'if-match',
    ],
    ...[
      'range',
      'accept',
      'accept-encoding',
      'accept-language',
      'accept-version',
      'x-forwarded-for',
      'x-forwarded-proto',
    ],
    ...['x-forwarded-host', 'forwarded', 'x-http-method-override', 'x-supabase-api-version', 'apikey', 'last-event-id'],
    ...['content-encoding', 'x-request-id', 'referer', 'host'],
  ),
  headerText,
  { maxKeys: 4, noNullPrototype: true },
)

const base64Json = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')

/** Wrong values of the Authorization header: malformed, forged or damaged versions of `token`. */
export function wrongAuthorization(token: string): fc.Arbitrary<string> {
  const [header = '', payload = '', signature = ''] = token.split('.')
  const forged = fc
    .tuple(oddValue, oddValue)
    .map(([head, claims]) => `Bearer ${base64Json(head)}.${base64Json(claims)}.${signature}`)
  const kids = oddValue.map((kid) => `Bearer ${base64Json({ alg: 'ES256', kid })}.${payload}.${signature}`)
  const algorithms = fc
    .constantFrom('none', 'HS256', 'RS256', 'ES512', '')
    .map((alg) => `Bearer ${base64Json({ alg, typ: 'JWT' })}.${payload}.${alg === 'none' ? '' : signature}`)
  const otherClaims = fc.jsonValue().map((claims) => `Bearer ${header}.${base64Json(claims)}.${signature}`)
  const fixed = fc.constantFrom(
    ...['', 'Bearer', 'Bearer ', token, `Basic ${token}`, `Bearer ${token}x`, `Bearer ${token} x`, `Bearer x.y.z`],
    ...[
      `Bearer ${header}.${payload}.`,
      `Bearer ..`,
      `Bearer ${payload}.${header}.${signature}`,
      `Bearer ${'x'.repeat(9_000)}`,
    ],
    `Bearer ${header}.${payload}.${randomBytes(64).toString('base64url')}`,
  )
  return fc.oneof(
    fixed,
    forged,
    kids,
    algorithms,
    otherClaims,
    headerText.filter((text) => !text.includes(token)),
  )
}

/** Unusual segments of a URL path, in place of an id, or of a query. */
export const oddSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%ff',
    '%00',
    '%',
    '..',
    '%2e%2e',
    '%2f',
    'null',
    '0',
    '__proto__',
    'x'.repeat(2_000),
    ';',
    '*',
    "'",
    '%F0%9F%A6%A6',
  ),
  fc
    .constantFrom(...ODD_TEXT.filter((text) => !/\p{Cs}/u.test(text)), 'a')
    .map((text) => encodeURIComponent(text.slice(0, 1_000))),
)

/** Query strings without meaning. */
export const oddQuery: fc.Arbitrary<string> = fc.oneof(
  fc.webQueryParameters(),
  fc
    .array(fc.tuple(oddSegment, oddSegment), { maxLength: 4 })
    .map((all) => all.map(([name, value]) => `${name}=${value}`).join('&')),
)

/** Query strings that `schema` rejects: a name is missing or duplicate, or its value is invalid. */
export function wrongQuery(schema: v.GenericSchema, valid: Record<string, string>): fc.Arbitrary<string> {
  const names = Object.keys(valid)
  const changed = fc.tuple(
    fc.constantFrom(...names),
    oddSegment,
    fc.constantFrom('without', 'twice', 'nested', 'too long', 'odd'),
    oddQuery,
  )
  return changed
    .map(([name, odd, how, more]) => {
      const others = names
        .filter((other) => other !== name)
        .map((other) => `${other}=${encodeURIComponent(valid[other] ?? '')}`)
      const own =
        {
          without: [],
          twice: [`${name}=a`, `${name}=${odd}`],
          nested: [`${name}[]=${odd}`],
          'too long': [`${name}=${'x'.repeat(2_000)}`],
          odd: [`${name}=${odd}`],
        }[how] ?? []
      return [...others, ...own, more].filter(Boolean).join('&')
    })
    .filter((query) => !validate(schema, readQuery(query)).success)
}

/** Parses a query as the server does: a duplicate name is a list. */
function readQuery(query: string): Record<string, string | string[]> {
  const fields = new URLSearchParams(query)
  const names = [...new Set(fields.keys())]
  return Object.fromEntries(
    names.map((name) => [name, fields.getAll(name).length > 1 ? fields.getAll(name) : (fields.get(name) ?? '')]),
  )
}
