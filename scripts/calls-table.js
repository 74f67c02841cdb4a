// The table "The calls" of ARCHITECTURE.md, from the endpoint objects of core.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CORE = fileURLToPath(new URL('../core/src/', import.meta.url))
const SERVER = fileURLToPath(new URL('../server/src/', import.meta.url))

/** The table operations of the product's specification that a call covers. A call that the specification does not know has none. */
const SPECIFIED = {
  'GET /api/home':
    'profiles: select by id; daily_goals: select by user; daily_stats: select today; deeb_sessions: select active; user_presence: select own',
  'GET /api/week':
    'daily_stats: select the 7 dates of the week, select all for the average; daily_goals: select by user; deeb_sessions: select active',
  'PUT /api/profile/username': 'profiles: update username by id',
  'PUT /api/goals': 'daily_goals: insert or upsert a list',
  'POST /api/focus/start': 'deeb_sessions: insert; user_presence: update to on',
  'POST /api/focus/stop': 'deeb_sessions: update end; user_presence: update to off; daily_stats: add',
  'GET /api/team':
    'profiles: select by list; user_presence: select by list; team_connections: select accepted and pending; own presence',
  'GET /api/team/search': 'profiles: select by company_domain and partial match',
  'POST /api/team/requests': 'team_connections: insert',
  'POST /api/team/requests/answer': 'team_connections: update status',
  'POST /api/team/connections/quit': 'team_connections: delete',
  'POST /api/leads': 'email_leads: insert',
  'POST /api/clicks': 'click_analytics: insert',
}

/** The files of core that have endpoints, by room. */
export function contracts() {
  const files = readdirSync(CORE, { recursive: true }).filter((path) => /[\\/]api\.ts$/.test(path))
  return Object.fromEntries(
    files.sort().map((path) => [path.slice(0, -'.ts'.length).replaceAll('\\', '/'), CORE + path]),
  )
}

/** `modules` are the imported contracts. */
export async function callsAsMarkdown(modules) {
  const endpoints = (await Promise.all(modules)).flatMap((module) =>
    Object.entries(module).filter(([, value]) => typeof value === 'object' && 'method' in value && 'path' in value),
  )
  const calls = endpoints.map(([name, { method, path, summary }]) => ({
    call: `${method} ${path}`,
    sentence: summary.split(/(?<=\.)\s/)[0],
    operation: operationOf(name),
  }))
  for (const call of Object.keys(SPECIFIED)) {
    if (!calls.some((row) => row.call === call)) throw new Error(`scripts/calls-table.js names no endpoint: ${call}`)
  }
  const rows = calls.map(
    ({ call, sentence, operation }) => `| \`${call}\` | ${sentence} | \`${operation}\` | ${SPECIFIED[call] ?? ''} |`,
  )
  return ['| call | what it does | operation | specified table operations |', '|---|---|---|---|', ...rows].join('\n')
}

/** The file of an operation has the name of its endpoint: `readHome` is served by `home/read-home.ts`. */
function operationOf(name) {
  const file = `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`
  const found = readdirSync(SERVER, { recursive: true }).filter((path) => path.split(/[\\/]/).at(-1) === file)
  if (found.length !== 1)
    throw new Error(`The operation of the endpoint ${name} is not one file ${file}: ${found.join(', ')}`)
  return found[0].replaceAll('\\', '/')
}
