import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type * as z from 'zod/mini'

declare global {
  interface ImportMeta {
    /** Of Vite. */
    glob(paths: string[]): Record<string, () => Promise<object>>
  }
}

const contract = import.meta.glob(['./*/api.ts', './errors.ts', './live-events.ts'])

/** Every schema of the contract by its name, made by zod or by what the web build has in place of it. */
async function schemas(by: 'zod' | 'shape'): Promise<Map<string, z.ZodMiniType>> {
  vi.resetModules()
  if (by === 'shape') vi.doMock('zod/mini', () => import('./shape.ts'))
  const found = new Map<string, z.ZodMiniType>()
  for (const [path, load] of Object.entries(contract)) {
    for (const [name, value] of Object.entries(await load())) {
      if (typeof value !== 'object') continue
      if ('safeParse' in value) found.set(`${path} ${name}`, value as z.ZodMiniType)
      for (const part of ['input', 'output'] as const)
        if (part in value) found.set(`${path} ${name} ${part}`, (value as Record<typeof part, z.ZodMiniType>)[part])
    }
  }
  vi.doUnmock('zod/mini')
  return found
}

/** Values that are wrong somewhere, or everywhere. */
const junk = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    '',
    'x',
    -1,
    0,
    1.5,
    1e300,
    Number.NaN,
    true,
    [],
    {},
    '2026-02-29',
    '2026-02-29T00:00:00.000Z',
  ),
  fc.constantFrom(
    '2024-02-29T23:59:59.999Z',
    '2026-06-15T24:00:00.000Z',
    '2026-06-15T09:00:60.000Z',
    '2026-6-15',
    '0000-01-01',
  ),
  fc.constantFrom(
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '01890A5D-AC96-774B-BCCE-B302099A8057',
    '01890a5d-ac96-974b-bcce-b302099a8057',
  ),
  fc.jsonValue(),
)

interface Def {
  type: string
  format?: string
  shape?: Record<string, z.ZodMiniType>
  element?: z.ZodMiniType
  innerType?: z.ZodMiniType
  valueType?: z.ZodMiniType
  options?: z.ZodMiniType[]
  values?: unknown[]
  entries?: Record<string, unknown>
}

/** Data for a schema of zod: right in most places, and now and then wrong in one. */
function dataFor(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 20, arbitrary: rightFor(schema._zod.def as unknown as Def) },
    { weight: 1, arbitrary: junk },
  )
}

function rightFor({ type, format, ...def }: Def): fc.Arbitrary<unknown> {
  if (type === 'object') {
    const fields = Object.entries(def.shape ?? {}).map(([name, field]) => [name, dataFor(field)])
    return fc
      .record(
        { ...Object.fromEntries(fields), unnamed: fc.string() },
        { requiredKeys: Object.keys(def.shape ?? {}) as never[] },
      )
      .chain((data) => fc.oneof({ weight: 9, arbitrary: fc.constant(data) }, { weight: 1, arbitrary: without(data) }))
  }
  if (type === 'array') return fc.array(dataFor(def.element as z.ZodMiniType), { maxLength: 8 })
  if (type === 'record') return fc.dictionary(fc.string(), dataFor(def.valueType as z.ZodMiniType), { maxKeys: 3 })
  if (type === 'nullable') return fc.option(dataFor(def.innerType as z.ZodMiniType), { nil: null })
  if (type === 'optional') return fc.option(dataFor(def.innerType as z.ZodMiniType), { nil: undefined })
  if (type === 'union') return fc.oneof(...(def.options ?? []).map(dataFor))
  if (type === 'literal') return fc.constantFrom(...(def.values ?? []))
  if (type === 'enum') return fc.constantFrom(...Object.values(def.entries ?? {}))
  if (type === 'boolean') return fc.boolean()
  if (type === 'number') return fc.oneof(fc.integer({ min: -5, max: 1500 }), fc.integer())
  if (format === 'uuid') return fc.uuid().map((id) => (id.endsWith('0') ? id.toUpperCase() : id))
  if (format === 'datetime') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (format === 'date') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10))
  if (type === 'string') return fc.oneof(fc.string(), fc.string({ minLength: 20, maxLength: 90 }))
  return junk
}

const without = (data: object) =>
  fc
    .constantFrom('unnamed', ...Object.keys(data))
    .map((name) => Object.fromEntries(Object.entries(data).filter(([key]) => key !== name)))

test('the web build and zod agree on every schema of the contract, about right and wrong data', async () => {
  const [byZod, byShape] = [await schemas('zod'), await schemas('shape')]
  expect([...byShape.keys()]).toEqual([...byZod.keys()])
  expect(byZod.size).toBeGreaterThan(100)
  let [right, wrong] = [0, 0]
  for (const [name, schema] of byZod) {
    fc.assert(
      fc.property(dataFor(schema), (data) => {
        const { success, data: expected } = schema.safeParse(data)
        success ? right++ : wrong++
        expect(byShape.get(name)?.safeParse(data), name).toEqual(success ? { success, data: expected } : { success })
      }),
      { numRuns: 60 },
    )
  }
  expect([right, wrong].map((count) => count > 1000)).toEqual([true, true])
})
