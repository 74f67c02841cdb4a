/** The values of a statement's parameters by their names. */
export type Params = Record<string, unknown>

/** Matches strings, quoted names and comments, which may contain colons, or a parameter: a colon and a name. */
const TOKEN = /'[^']*'|"[^"]*"|--[^\n]*|\/\*.*?\*\/|(?<![\w:]):([a-z]\w*)/gis

/**
 * Replaces named parameters (`:name`) by PostgreSQL's positional ones (`$1`, `$2` ...). A name that is used twice is one
 * parameter. Casts (`::uuid`), slices (`days[1:n]`), strings, quoted names and comments stay unchanged.
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

/** The values in the order of `$1`, `$2` ... Throws if a parameter is missing or unknown to the statement. */
export function valuesOf(statement: { name: string; names: readonly string[] }, params: Params = {}): unknown[] {
  const { name, names } = statement
  const missing = names.filter((each) => !Object.hasOwn(params, each))
  if (missing.length > 0) throw new Error(`The statement ${name} needs the parameter :${missing.join(', :')}.`)
  const unknown = Object.keys(params).filter((each) => !names.includes(each))
  if (unknown.length > 0) throw new Error(`The statement ${name} has no parameter :${unknown.join(', :')}.`)
  return names.map((each) => params[each])
}
