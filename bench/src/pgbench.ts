import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numberIn, output } from './programs.ts'
import type { Recorded } from './recorded.ts'

interface Script {
  /** Run one after the other. `userId` of each is the connection's own user. */
  statements: Recorded[]
  /** The number of the first connection's person. The other connections have the next ones. */
  firstPerson: number
  /** A focus session id, replaced by a new one in each run. */
  sessionId?: string
}

/** Each connection reads the id of its person once, which is negligible among thousands of reads. */
const WHO = `\\if :known
\\else
\\set n :first + :client_id
select md5('person ' || :n::text)::uuid as person \\gset
\\set known 1
\\endif
\\set fresh random(1000000000000000000, 9000000000000000000)`

/** 19 random digits and a fixed end. pgbench has only numbers, so SQL has to build the id. */
const FRESH_ID = "(:fresh::text || '7a8b0c1d2e3f4')::uuid"

/**
 * The rate per second at which pgbench runs the script with prepared statements. The statements are the server's own texts,
 * except for the session id. Times are `now` in each run, as in the server.
 */
export async function pgbenchRate(
  pgbench: string,
  url: string,
  { statements, firstPerson, sessionId }: Script,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-pgbench-'))
  const path = join(folder, 'script.sql')
  const variables = [`first=${firstPerson}`, 'known=0']
  const texts = statements.map(({ text, names, values }, index) => {
    const substitutes = values.map((value, at) => {
      if (names[at] === 'userId') return ':person'
      if (value === sessionId) return FRESH_ID
      // A variable of pgbench cannot be null.
      if (value === null) return 'null'
      // The name must not end in a number: pgbench would replace :v1 in :v10.
      variables.push(`v${index}_${at}_=${value instanceof Date ? timeAsText(value) : value}`)
      return `:v${index}_${at}_`
    })
    return `${withoutVariables(text).replaceAll(/\$(\d+)/g, (_, number) => substitutes[Number(number) - 1] ?? '')};`
  })
  await writeFile(path, [WHO, ...texts].join('\n'))
  const args = ['-n', '-M', 'prepared', '-c', `${connections}`, '-j', '1', '-T', `${seconds}`, '-f', path]
  const printed = await output(pgbench, [...args, ...variables.flatMap((text) => ['-D', text]), url])
  await rm(folder, { recursive: true, force: true })
  return numberIn(printed, /tps = ([\d.]+)/)
}

/** Without comments. pgbench takes a colon and a name for a variable, also in a string such as 'HH24:MI'. */
function withoutVariables(text: string): string {
  return text.replaceAll(/--[^\n]*|'[^']*'/g, (token) =>
    token.startsWith('--') ? '' : token.replaceAll(/:(?=\w)/g, ":' || '"),
  )
}

/** A current time becomes `now`; the end of the day stays as it is. */
function timeAsText(value: Date): string {
  return Math.abs(value.getTime() - Date.now()) < 60_000 ? 'now' : value.toISOString()
}
