import { createHash } from 'node:crypto'
import { type Db, statement } from '../db/db.ts'

const ROWS_PER_FETCH = 1_000

/** The table that the migrations fill. */
const NOT_DATA = 'schema_migrations'

const list = statement(
  'backup.tables',
  `select relation.oid::int as oid, relation.oid::regclass::text as name, schema.nspname as schema,
    array(select confrelid::int from pg_constraint
      where conrelid = relation.oid and contype = 'f' and confrelid <> conrelid) as "refersTo"
  from pg_class as relation join pg_namespace as schema on schema.oid = relnamespace
  where relkind = 'r' and nspname in ('public', 'auth') and relname <> '${NOT_DATA}' order by nspname, relname`,
)

interface TableRow {
  oid: number
  name: string
  refersTo: number[]
}

/** The names of all tables with data, in the order of their foreign keys: referenced tables first. */
export async function listTables(db: Db): Promise<string[]> {
  const left = await db.query<TableRow>(list)
  const sorted: TableRow[] = []
  while (left.length > 0) {
    const next = left.findIndex(({ refersTo }) => refersTo.every((oid) => sorted.some((table) => table.oid === oid)))
    // No foreign keys form a cycle today. If they ever do, restore needs another way.
    if (next < 0) throw new Error('The foreign keys of the tables form a cycle.')
    sorted.push(...left.splice(next, 1))
  }
  return sorted.map(({ name }) => name)
}

/** SQL: members that replace those of a row. A backup outlives a target, which is forgotten when its session ends. */
const REPLACED: Readonly<Record<string, string>> = { deeb_sessions: '{"target_minutes": null}' }

/**
 * Reads the rows of a table as JSON text in batches, with a cursor. `db` must be a transaction after ONE_MOMENT: instants are
 * written in its time zone. The text is never parsed, because a bigint would lose digits.
 */
export async function* readRows(db: Db, table: string): AsyncGenerator<string[]> {
  const name = `backup_${table.replace('.', '_')}`
  await db.query(
    statement(
      `${name}.open`,
      `declare ${name} cursor for select (to_jsonb(held) || '${REPLACED[table] ?? '{}'}')::text as row from ${table} as held`,
    ),
  )
  const fetch = statement(`${name}.fetch`, `fetch ${ROWS_PER_FETCH} from ${name}`)
  for (;;) {
    const rows = (await db.query<{ row: string }>(fetch)).map(({ row }) => row)
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_PER_FETCH) break
  }
  await db.query(statement(`${name}.close`, `close ${name}`))
}

/** A checksum of a table. It does not depend on the order of rows. */
export interface Digest {
  rows: number
  /** The sum of the rows' SHA-256, modulo 2^256. */
  sum: string
}

export function startDigest(): { add(row: string): void; result(): Digest } {
  let rows = 0
  let sum = 0n
  return {
    add(row) {
      rows += 1
      sum = (sum + BigInt(`0x${createHash('sha256').update(row).digest('hex')}`)) % 2n ** 256n
    },
    result: () => ({ rows, sum: sum.toString(16).padStart(64, '0') }),
  }
}

/** The digest of every table. `db` as for `readRows`. */
export async function digestTables(db: Db): Promise<Record<string, Digest>> {
  const digests: Record<string, Digest> = {}
  for (const table of await listTables(db)) {
    const digest = startDigest()
    for await (const rows of readRows(db, table)) for (const row of rows) digest.add(row)
    digests[table] = digest.result()
  }
  return digests
}

/** Makes a transaction read one snapshot (REPEATABLE READ) in UTC, without a timeout. Must be its first statement. */
export const ONE_MOMENT = `set transaction isolation level repeatable read; set local statement_timeout = 0;
  set local timezone = 'UTC'; set local extra_float_digits = 1`
