import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { numberIn, output } from './programs.ts'
import type { Recorded } from './recorded.ts'

interface Script {
  /** Run one after the other. `$1` of each is the connection's own person. */
  statements: Recorded[]
  /** The number of the first connection's person; the others' follow. */
  firstPerson: number
  /** A session id, which is another each time. */
  sessionId?: string
}

/** A connection asks once who it is: one read among thousands. */
const WHO = `\\if :known
\\else
\\set n :first + :client_id
select md5('person ' || :n::text)::uuid as person \\gset
\\set known 1
\\endif
\\set fresh random(1000000000000000000, 9000000000000000000)`

/** 19 digits of chance and a fixed end: pgbench has numbers only, so an id has to be put together in SQL. */
const FRESH_ID = "(:fresh::text || '7a8b0c1d2e3f4')::uuid"

/**
 * How often a second pgbench runs the script, prepared, on that many connections. The statements are the server's own
 * texts but for the session id, and a value that is a time is `now` each time, as for the server.
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
  const texts = statements.map(({ text, values }, index) => {
    const names = values.map((value, at) => {
      if (at === 0) return ':person'
      if (value === sessionId) return FRESH_ID
      // Not a name that ends in a number: pgbench would take :v1 for the beginning of :v10.
      variables.push(`v${index}_${at}_=${value instanceof Date ? timeAsText(value) : value}`)
      return `:v${index}_${at}_`
    })
    return `${text.replaceAll(/\$(\d+)/g, (_, number) => names[Number(number) - 1] ?? '')};`
  })
  await writeFile(path, [WHO, ...texts].join('\n'))
  const args = ['-n', '-M', 'prepared', '-c', `${connections}`, '-j', '1', '-T', `${seconds}`, '-f', path]
  const printed = await output(pgbench, [...args, ...variables.flatMap((text) => ['-D', text]), url])
  await rm(folder, { recursive: true, force: true })
  return numberIn(printed, /tps = ([\d.]+)/)
}

/** The times of now stay now; the day's end stays what it is. */
function timeAsText(value: Date): string {
  return Math.abs(value.getTime() - Date.now()) < 60_000 ? 'now' : value.toISOString()
}
