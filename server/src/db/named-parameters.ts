/** The values of a statement's parameters by their names. */
export type Params = Record<string, unknown>

/** What may contain colons and no parameter (strings, quoted names, comments), or a parameter: a colon and a name. */
const TOKEN = /'[^']*'|"[^"]*"|--[^\n]*|\/\*.*?\*\/|(?<![\w:]):([a-z]\w*)/gis

/**
 * Turns `:name` into the `$1`, `$2` ... of PostgreSQL. A name that is used twice is one parameter. Casts (`::uuid`), slices
 * (`days[1:n]`), strings, quoted names and comments stay as they are.
 */
export function resolveNames(sql: string): { text: string; names: string[] } {
  const names: string[] = []
  const text = sql.replaceAll(TOKEN, (token: string, name: string | undefined) => {
    if (name === undefined) return token
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names }
}

/** The values in the order of `$1`, `$2` ... Throws for a parameter that is missing or that the statement does not have. */
export function valuesOf(statement: { name: string; names: readonly string[] }, params: Params = {}): unknown[] {
  const { name, names } = statement
  const missing = names.filter((each) => !Object.hasOwn(params, each))
  if (missing.length > 0) throw new Error(`The statement ${name} needs the parameter :${missing.join(', :')}.`)
  const unknown = Object.keys(params).filter((each) => !names.includes(each))
  if (unknown.length > 0) throw new Error(`The statement ${name} has no parameter :${unknown.join(', :')}.`)
  return names.map((each) => params[each])
}
