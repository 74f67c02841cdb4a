import { SECRETS } from '../account/read-my-data.ts'
import { type Db, statement } from '../db/db.ts'
import { openInMemory } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { RETENTION } from '../retention/retention.ts'
import { GERMAN, GERMAN_TEXTS } from './data-german.ts'
import { type Audience, WHO_SEES } from './who-sees-data.ts'

type Language = 'en' | 'de'

interface Texts {
  /** The page before its tables. */
  head: string
  columns: string
  kept: string
  legend: Record<Audience, [name: string, what: string]>
}

const TEXTS: Record<Language, Texts> = {
  en: {
    head: `# What deeb keeps

Every table and column of the database of this version: what it means, how long it is kept, and who sees it. An agreement or a record of
processing can have this page as an annex. The command \`deeb-admin data\` prints it.

Outside the database:

- **Backups** have the same rows, except how long an open session is meant to be. They are kept until the administrator deletes them.
- **The log** names no person. A server without a mail server writes the recipients of emails to its log, and the emails to files.
- **Calendars** that read the link of a person keep what they have read: the ended sessions.
- **The browser or app** of the person keeps what its screens show of this person until they sign out, and switches until they are sent.

deeb keeps no screen contents, no keystrokes, no location, no names of programs or pages, and no contents of work.

Who sees a column:
`,
    columns: '| Column | Meaning | Who sees it |',
    kept: 'Kept',
    legend: {
      oneself: [
        'oneself',
        'the person whom the row is about, in the app or in `Download my data`. For a connection, both people. Nobody else in the company, no superior.',
      ],
      'connections and circles': [
        'connections and circles',
        'also colleagues whom the person accepted, and the people of the same circle; of a focus session only while it is open. Colleagues who open the link of a circle see its name and the names in it.',
      ],
      'colleagues by search': [
        'colleagues by search',
        'also everybody with a confirmed email address of the same company, by name.',
      ],
      'everybody in the company, with noise': [
        'everybody in the company, with noise',
        'everybody there sees the same report. No row is about a person, and chance changes each number before it is saved.',
      ],
      administrator: [
        'administrator',
        'nobody in deeb, only an administrator who has access to the server or its database. Such an administrator can read all other rows too.',
      ],
    },
  },
  de: GERMAN_TEXTS,
}

const readComments = statement(
  'admin.comments',
  `select table_oid::regclass::text as name, obj_description(table_oid, 'pg_class') as meaning,
    json_agg(json_build_object('name', attname, 'meaning', col_description(table_oid, attnum)) order by attnum) as columns
  from (select oid as table_oid from pg_class
    where relkind = 'r' and relnamespace in ('public'::regnamespace, 'auth'::regnamespace)) as tables
  join pg_attribute on attrelid = table_oid and attnum > 0 and not attisdropped
  group by table_oid`,
)

interface Column {
  name: string
  /** Null: the migrations have no comment for it. */
  meaning: string | null
}

/** A table with the comments of the migrations. */
interface TableComments extends Column {
  columns: Column[]
}

/** Reads every table and column with its comment. */
export const readDataComments = (db: Db) => db.query<TableComments>(readComments)

/**
 * A page with every table and column: what it means, how long it is kept and who sees it, as Markdown. The text is the same for every server of
 * this version, so it comes from a new database in memory, and no server has to be stopped for it.
 */
export async function dataAsMarkdown(language: Language): Promise<string> {
  const db = await openInMemory()
  try {
    await migrate(db)
    return await dataOf(db, language)
  } finally {
    await db.close()
  }
}

/** The same, from a database that the migrations have made. */
export async function dataOf(db: Db, language: Language): Promise<string> {
  const tables = await readDataComments(db)
  const inOrder = Object.keys(WHO_SEES).flatMap((name) => tables.find((table) => table.name === name) ?? [])
  const { head, legend } = TEXTS[language]
  return [
    head,
    ...Object.values(legend).map(([name, what]) => `- **${name}**: ${what}`),
    ...inOrder.map((table) => tableText(table, language)),
  ].join('\n')
}

function tableText({ name, meaning, columns }: TableComments, language: Language): string {
  const { columns: head, kept, legend } = TEXTS[language]
  const german = language === 'de' ? GERMAN[name] : undefined
  const rule = RETENTION[name] ?? ''
  const until = typeof rule === 'string' ? rule : rule.until
  const rows = columns.map((column) => {
    const [audience] = legend[audienceOf(name, column.name)]
    return `| \`${column.name}\` | ${column.meaning} | ${audience} |`
  })
  const about = `${german?.meaning ?? meaning} ${kept}: ${german?.kept ?? until}.`
  return ['', `### ${name}`, '', about, '', head, '|---|---|---|', ...rows].join('\n')
}

/** Who sees a column: by its own entry, nobody if it is a secret, else by the entry of its table. */
function audienceOf(table: string, column: string): Audience {
  const own = WHO_SEES[`${table}.${column}`]
  return own ?? (SECRETS.includes(column) ? 'administrator' : (WHO_SEES[table] ?? 'administrator'))
}
