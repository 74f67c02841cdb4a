import { ENTERPRISE_SCHEMA, USER_SCHEMA } from './schemas.ts'
import { badRequest } from './scim-error.ts'

/** A path of a PATCH operation, in lower case: `name`, `name.sub`, `name[filter]` or `name[filter].sub`. */
export interface Path {
  name: string
  filter: string | null
  sub: string | null
}

const PREFIX = /^urn:[\w.:-]+$/
const PATH = /^([a-z$][\w$-]*)(?:\[((?:[^"[\]]|"(?:[^"\\]|\\.)*")+)\])?(?:\.([a-z$][\w$-]*))?$/

/** The name of the enterprise extension in a Path. */
export const ENTERPRISE = 'enterprise'

/** Parses a path. An attribute of the enterprise extension is its `sub`; of other extensions it is their address. Throws `invalidPath`. */
export function parsePath(text: string): Path {
  const path = withoutPrefix(text.trim().toLowerCase(), `${USER_SCHEMA.toLowerCase()}:`)
  const enterprise = ENTERPRISE_SCHEMA.toLowerCase()
  if (path === enterprise) return { name: ENTERPRISE, filter: null, sub: null }
  if (path.startsWith(`${enterprise}:`)) {
    const sub = path.slice(enterprise.length + 1)
    parsePlain(sub)
    return { name: ENTERPRISE, filter: null, sub }
  }
  if (PREFIX.test(path)) return { name: path, filter: null, sub: null }
  return parsePlain(path)
}

function parsePlain(path: string): Path {
  const [match, name = '', filter = null, sub = null] = PATH.exec(path) ?? []
  if (match === undefined) throw badRequest('invalidPath', 'The path of this operation is not valid.')
  return { name, filter, sub }
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}
