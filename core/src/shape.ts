/*
 * The part of `zod/mini` that this package uses, in 1 kB: the web build has it in place of zod, which stays the types, the server's
 * validation and the OpenAPI document. It only says whether data is valid, not why. shape.test.ts compares the two.
 */

const INVALID = Symbol('invalid')

/** Returns the valid value, which may differ from the input, or INVALID. */
type Read = (value: unknown) => unknown

class Shape {
  readonly read: Read
  /** Of an object. */
  readonly fields: Fields
  /** Of a literal or an enumeration. */
  readonly values: readonly unknown[]

  constructor(read: Read, { fields = {}, values = [] }: { fields?: Fields; values?: readonly unknown[] } = {}) {
    this.read = read
    this.fields = fields
    this.values = values
  }

  safeParse(value: unknown) {
    const data = this.read(value)
    return data === INVALID ? { success: false } : { success: true, data }
  }

  parse(value: unknown): unknown {
    const data = this.read(value)
    if (data === INVALID) throw new TypeError('The data has another shape.')
    return data
  }

  check(...checks: Read[]): Shape {
    return new Shape((value) =>
      checks.reduce((read, check) => (read === INVALID ? INVALID : check(read)), this.read(value)),
    )
  }
}

type Fields = Record<string, Shape>

const valid =
  (isValid: (value: never) => boolean): Read =>
  (value) =>
    isValid(value as never) ? value : INVALID

/* @__NO_SIDE_EFFECTS__ */
const shapeOf = (isValid: (value: unknown) => boolean) => new Shape(valid(isValid))

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const matches =
  (pattern: RegExp, isDate = (_text: string) => true) =>
  (value: unknown) =>
    typeof value === 'string' && pattern.test(value) && isDate(value)

/** Whether a text is the ISO form of an instant that exists. */
function isInstant(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString() === text
}

/* @__NO_SIDE_EFFECTS__ */
export const string = () => shapeOf((value) => typeof value === 'string')
/* @__NO_SIDE_EFFECTS__ */
export const boolean = () => shapeOf((value) => typeof value === 'boolean')
/* @__NO_SIDE_EFFECTS__ */
export const number = () => shapeOf(Number.isFinite)
/* @__NO_SIDE_EFFECTS__ */
export const int = () => shapeOf(Number.isSafeInteger)
/* @__NO_SIDE_EFFECTS__ */
export const unknown = () => shapeOf(() => true)
/* @__NO_SIDE_EFFECTS__ */
export const uuid = () =>
  shapeOf(
    matches(
      /^([\da-fA-F]{8}-[\da-fA-F]{4}-[1-8][\da-fA-F]{3}-[89abAB][\da-fA-F]{3}-[\da-fA-F]{12}|0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12})$/,
    ),
  )

/** With `precision: 3`, which is the only form of this package. */
/* @__NO_SIDE_EFFECTS__ */
const datetime = () => shapeOf(matches(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, isInstant))
/* @__NO_SIDE_EFFECTS__ */
const date = () => shapeOf(matches(/^\d{4}-\d\d-\d\d$/, (date) => isInstant(`${date}T00:00:00.000Z`)))
export const iso = { datetime, date }

/* @__NO_SIDE_EFFECTS__ */
export const literal = (value: unknown) =>
  new Shape(
    valid((given: unknown) => given === value),
    { values: [value] },
  )
/* @__NO_SIDE_EFFECTS__ */
const enumeration = (values: readonly unknown[]) =>
  new Shape(
    valid((given: unknown) => values.includes(given)),
    { values },
  )

export { enumeration as enum }

/* @__NO_SIDE_EFFECTS__ */
export const nullable = ({ read }: Shape) => new Shape((value) => (value === null ? null : read(value)))
/* @__NO_SIDE_EFFECTS__ */
export const optional = ({ read }: Shape) => new Shape((value) => (value === undefined ? undefined : read(value)))

/* @__NO_SIDE_EFFECTS__ */
export const _default = ({ read }: Shape, byDefault: unknown) =>
  new Shape((value) => (value === undefined ? byDefault : read(value)))

/** Drops the fields that are not named. */
/* @__NO_SIDE_EFFECTS__ */
export function object(fields: Fields): Shape {
  return new Shape(
    (value) => {
      if (!isObject(value)) return INVALID
      const result: Record<string, unknown> = {}
      for (const [name, { read }] of Object.entries(fields)) {
        const field = read(value[name])
        if (field === INVALID) return INVALID
        if (field !== undefined || name in value) result[name] = field
      }
      return result
    },
    { fields },
  )
}

/* @__NO_SIDE_EFFECTS__ */
export const extend = (shape: Shape, fields: Fields) => object({ ...shape.fields, ...fields })

/* @__NO_SIDE_EFFECTS__ */
export const array = (item: Shape) => tuple([], item)

/* @__NO_SIDE_EFFECTS__ */
export function tuple(first: readonly Shape[], rest: Shape): Shape {
  return new Shape((value) => {
    if (!Array.isArray(value) || value.length < first.length) return INVALID
    const items = value.map((item, n) => (first[n] ?? rest).read(item))
    return items.includes(INVALID) ? INVALID : items
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function record(_key: Shape, item: Shape): Shape {
  return new Shape((value) => {
    if (!isObject(value)) return INVALID
    const items = Object.entries(value).map(([name, field]) => [name, item.read(field)] as const)
    return items.some(([, field]) => field === INVALID) ? INVALID : Object.fromEntries(items)
  })
}

/* @__NO_SIDE_EFFECTS__ */
export function discriminatedUnion(name: string, options: readonly Shape[]): Shape {
  return new Shape((value) => {
    const option = isObject(value) && options.find(({ fields }) => fields[name]?.values.includes(value[name]))
    return option ? option.read(value) : INVALID
  })
}

interface WithLength {
  length: number
}
/* @__NO_SIDE_EFFECTS__ */
export const length = (count: number) => valid((value: WithLength) => value.length === count)
/* @__NO_SIDE_EFFECTS__ */
export const minLength = (min: number) => valid((value: WithLength) => value.length >= min)
/* @__NO_SIDE_EFFECTS__ */
export const maxLength = (max: number) => valid((value: WithLength) => value.length <= max)
/* @__NO_SIDE_EFFECTS__ */
export const minimum = (min: number) => valid((value: number) => value >= min)
/* @__NO_SIDE_EFFECTS__ */
export const maximum = (max: number) => valid((value: number) => value <= max)
/* @__NO_SIDE_EFFECTS__ */
export const regex = (pattern: RegExp) => valid((value: string) => pattern.test(value))
/* @__NO_SIDE_EFFECTS__ */
export const toLowerCase = (): Read => (value) => String(value).toLowerCase()
/* @__NO_SIDE_EFFECTS__ */
export const trim = (): Read => (value) => String(value).trim()
/** For the OpenAPI document only. */
/* @__NO_SIDE_EFFECTS__ */
export const describe = (): Read => (value) => value
