import * as v from 'valibot'

const DAY =
  /(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))/
    .source
const TIME = /(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}(?:Z))/.source

/** Text that matches a pattern. The OpenAPI document names its format too. */
const textOf = (format: string, pattern: RegExp) => v.pipe(v.string(), v.regex(pattern), v.metadata({ format }))

/** A UUID of versions 1 to 8 in any letter case, or one of all zeros or all `f`. */
export const Uuid = textOf(
  'uuid',
  /^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000|ffffffff-ffff-ffff-ffff-ffffffffffff)$/,
)

/** A day that exists, such as `2024-02-29`. */
export const LocalDate = textOf('date', new RegExp(`^${DAY}$`))

/** An instant in UTC with milliseconds, as `Date.toISOString` writes it. */
export const Instant = textOf('date-time', new RegExp(`^${DAY}T${TIME}$`))

/** An integer that a double represents exactly. */
export const Int = v.pipe(v.number(), v.safeInteger())

/** At most so many characters, in code points as the database and JSON Schema count them. Valibot counts UTF-16 units. */
export function maxCharacters<const Max extends number>(max: Max): v.MaxLengthAction<string, Max, undefined> {
  return {
    ...v.maxLength<string, Max>(max),
    '~run'(dataset, config) {
      if (!dataset.typed || [...dataset.value].length <= max) return dataset
      v._addIssue(this, 'length', dataset, config)
      return dataset as v.OutputDataset<string, v.MaxLengthIssue<string, Max>>
    },
  }
}
