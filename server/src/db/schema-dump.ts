import { type Db, statement } from './db.ts'
import { openInMemory } from './embedded.ts'
import { migrate } from './migrate.ts'

const OURS = "(select oid from pg_namespace where nspname in ('auth', 'public'))"

/** SQL: whether an object belongs to another one, such as an extension or an identity column. */
const isPart = (catalog: string, oid: string) =>
  `exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype in ('e', 'i'))`

const readTables = statement(
  'schema.tables',
  `select format('create %stable %s', case relpersistence when 'u' then 'unlogged ' end, relation.oid::regclass) as head,
    obj_description(relation.oid, 'pg_class') as meaning,
    (select json_agg(json_build_object('meaning', col_description(attrelid, attnum), 'definition', concat(
        quote_ident(attname), ' ', format_type(atttypid, atttypmod),
        case when attcollation <> typcollation then ' collate ' || attcollation::regcollation end,
        case when attnotnull then ' not null' end,
        case when attidentity <> '' then ' generated always as identity'
          when attgenerated <> '' then format(' generated always as (%s) stored', pg_get_expr(adbin, adrelid, true))
          when atthasdef then ' default ' || pg_get_expr(adbin, adrelid, true) end)) order by attnum)
      from pg_attribute join pg_type on pg_type.oid = atttypid left join pg_attrdef on (adrelid, adnum) = (attrelid, attnum)
      where attrelid = relation.oid and attnum > 0 and not attisdropped) as columns,
    array(select format('constraint %I %s', conname, pg_get_constraintdef(oid, true)) from pg_constraint
      where conrelid = relation.oid and contype in ('p', 'u', 'x', 'f', 'c')
      order by position(contype::text in 'puxfc'), conname) as constraints,
    array(select pg_get_indexdef(indexrelid, 0, true) from pg_index
      where indrelid = relation.oid and not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')
      order by indexrelid::regclass::text) as indexes,
    array(select pg_get_triggerdef(oid, true) from pg_trigger
      where tgrelid = relation.oid and not tgisinternal order by tgname) as triggers
  from pg_class as relation where relkind = 'r' and relnamespace in ${OURS}
  order by relnamespace::regnamespace::text, relname`,
)

const readOthers = statement(
  'schema.others',
  `select 'create schema auth' as text
  union all (select format('create extension %I', extname) from pg_extension where extname <> 'plpgsql' order by extname)
  union all (select format('create sequence %s', oid::regclass) from pg_class
    where relkind = 'S' and relnamespace in ${OURS} and not ${isPart('pg_class', 'pg_class.oid')} order by relname)
  union all (select trim(trailing E'\\n' from pg_get_functiondef(oid)) from pg_proc
    where pronamespace in ${OURS} and not ${isPart('pg_proc', 'pg_proc.oid')} order by proname)`,
)

interface TableRow {
  head: string
  meaning: string | null
  columns: { definition: string; meaning: string | null }[]
  constraints: string[]
  indexes: string[]
  triggers: string[]
}

const HEAD = `-- The schema of this version, to read: \`npm run tables\` writes it. The files in schema/ and migrations/ make it, and say why.

`

/** The text of server/schema.sql, from a new database in memory. */
export async function schemaAsSql(): Promise<string> {
  const db = await openInMemory()
  try {
    await migrate(db)
    return HEAD + (await dumpSchema(db))
  } finally {
    await db.close()
  }
}

/** The tables, functions and other objects of a database as SQL, by name: in no order in which they could be created. */
export async function dumpSchema(db: Db): Promise<string> {
  const tables = await db.query<TableRow>(readTables)
  const others = await db.query<{ text: string }>(readOthers)
  return [...tables.map(tableText), ...others.map(({ text }) => `${text};\n`)].join('\n')
}

function tableText({ head, meaning, columns, constraints, indexes, triggers }: TableRow): string {
  const parts = [...columns, ...constraints.map((definition) => ({ definition, meaning: null }))]
  const lines = parts.map(({ definition, meaning }, index) => {
    const comma = index < parts.length - 1 ? ',' : ''
    return `  ${definition}${comma}${meaning === null ? '' : ` -- ${meaning}`}`
  })
  const others = [...indexes, ...triggers].map((text) => `${text};`)
  return [...(meaning === null ? [] : [`-- ${meaning}`]), `${head} (`, ...lines, ');', ...others, ''].join('\n')
}
