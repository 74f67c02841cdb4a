import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Db, type Statement, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

/**
 * SQL: user `:userId` owned the address in `column` at the row's `created_at`. former_addresses records changes of ownership: the
 * owner is the first user who left the address after that, else its current user.
 */
function wasTheirs(column: string): string {
  return `(${column} in (
      select email from auth.users where id = :userId
      union all select email from auth.former_addresses where user_id = :userId)
    and :userId = coalesce(
      (select whose from auth.former_addresses as former (whose, address, until)
        where address = ${column} and created_at <= until order by until limit 1),
      (select whose from (select id as whose, email as address from auth.users) as present where address = ${column})))`
}

/**
 * Every table with personal data, and the SQL condition for the rows of user `:userId`. The download contains all columns, so that
 * it includes columns that are added later.
 */
export const PERSONAL_DATA: Readonly<Record<string, string>> = {
  'auth.users': 'id = :userId',
  'auth.identities': 'user_id = :userId',
  'auth.sessions': 'user_id = :userId',
  push_subscriptions: 'user_id = :userId',
  push_messages: 'user_id = :userId',
  webhook_endpoints: 'user_id = :userId',
  webhook_deliveries: 'user_id = :userId',
  webhook_goal_days: 'user_id = :userId',
  'auth.one_time_tokens': 'user_id = :userId',
  'auth.mfa_factors': 'user_id = :userId',
  'auth.mfa_challenges': 'factor_id in (select id from auth.mfa_factors where user_id = :userId)',
  'auth.mfa_recovery_codes': 'factor_id in (select id from auth.mfa_factors where user_id = :userId)',
  'auth.webauthn_credentials': 'user_id = :userId',
  'auth.personal_tokens': 'user_id = :userId',
  // A sign-in by a company that is not complete.
  'auth.flow_state': `(linking_session_id in (select id from auth.sessions where user_id = :userId)
    or (provider_id, claims->>'sub') in (
      select sso_provider_id, identities.provider_id from auth.identities where user_id = :userId))`,
  'auth.scim_users': 'user_id = :userId',
  'auth.known_addresses': 'user_id = :userId',
  'auth.audit_log': 'user_id = :userId',
  'auth.former_addresses': 'user_id = :userId',
  // Not those that the user caused at the address of another person: their kind and number reveal whether it has an account.
  'auth.outbox': wasTheirs('recipient'),
  profiles: 'id = :userId',
  daily_goals: 'user_id = :userId',
  daily_goal_history: 'user_id = :userId',
  daily_stats: 'user_id = :userId',
  weekly_stats: 'user_id = :userId',
  focus_totals: 'user_id = :userId',
  daily_start_counts: 'user_id = :userId',
  deeb_sessions: 'user_id = :userId',
  deeb_session_aliases: 'user_id = :userId',
  interruption_presses: 'user_id = :userId',
  user_presence: 'user_id = :userId',
  calendar_links: 'user_id = :userId',
  status_links: 'user_id = :userId',
  status_signals: 'link_id in (select id from status_links where user_id = :userId)',
  // Who waits for a user stays secret.
  free_alerts: 'watcher_id = :userId',
  knock_allowances: 'user_id = :userId',
  knocks: ':userId in (sender_id, receiver_id)',
  // A pending request that is taken back is deleted. A declined one stays, so it must look deleted to the requester.
  team_connections: '(receiver_id = :userId or (requester_id = :userId and not taken_back))',
  circles: 'id in (select circle_id from circle_members where user_id = :userId)',
  circle_members: 'user_id = :userId',
  quiet_times: 'circle_id in (select circle_id from circle_members where user_id = :userId)',
  quiet_members: 'user_id = :userId',
  // Of the sign of a circle only its maker, and who is on it only themselves.
  signs: 'user_id = :userId',
  sign_agreements: 'user_id = :userId',
  cases: 'user_id = :userId',
  // Who hides from the user is known to them only.
  hidden_people: 'user_id = :userId',
  email_leads: wasTheirs('email'),
}

/**
 * Columns that are left out: secrets, since a downloaded file may be read by others, the requester of an email, who may be another
 * person, and whether the requester has taken back a declined request, which only they did.
 */
export const SECRETS: readonly string[] = [
  ...['encrypted_password', 'token_hash', 'secret', 'binding', 'body', 'unsubscribe_url', 'asked_by', 'taken_back'],
  ...['public_key', 'credential_id', 'code_hash', 'idp_refresh_token', 'auth_code_hash', 'proof_hash', 'client_secret'],
  ...['endpoint', 'p256dh', 'auth_secret', 'credentials', 'memo'],
  ...['invite', 'old_secret', 'seed'],
]

/**
 * Columns, by table, that are left out because they are about other people: the gaps of numbers of one sequence count what they do, and
 * the session of a knock is that of its receiver.
 */
const OF_OTHERS: Readonly<Record<string, string[]>> = {
  user_presence: ['version'],
  'auth.audit_log': ['id'],
  knocks: ['session_id'],
}

/**
 * SQL: values that replace columns with data about other people.
 *
 * A declined request looks pending to the requester in every column. Events that anyone can cause with only the user's address show
 * no IP address, because it may be a stranger's. Which email was dropped is left out: it reveals whether an address has an account.
 */
const REPLACED: Readonly<Record<string, string>> = {
  team_connections: `case when requester_id = :userId and status = 'declined'
    then jsonb_build_object('status', 'pending', 'updated_at', created_at) else '{}' end`,
  'auth.audit_log': `jsonb_build_object('detail', detail - 'dropped') || case
    when action in ('login_failed', 'recovery_requested', 'sso_code', 'signup_repeated', 'signup_requested')
    then '{"ip": null}'::jsonb else '{}' end`,
}

/** Limits the memory of a download, and how long one statement blocks the embedded database. */
const ROWS_PER_CHUNK = 500

/**
 * Keyset pagination by primary key: it is unique, and a concurrent update does not move a row. This order also does not reveal
 * whether a request is pending or declined.
 */
function chunkStatement(table: string, keyColumns: string[], where: 'first' | 'next'): Statement {
  const key = keyColumns.join(', ')
  const after =
    where === 'first' ? '' : `and (${key}) > (select ${key} from jsonb_populate_record(null::${table}, :lastKey))`
  const keyMembers = keyColumns.map((column) => `'${column}', ${column}`).join(', ')
  return statement(
    `account.data.${table}.${where}`,
    `select (to_jsonb(held) - :secrets::text[] || ${REPLACED[table] ?? "'{}'"})::text as row,
      jsonb_build_object(${keyMembers})::text as key
    from (select * from ${table} where ${PERSONAL_DATA[table]} ${after} order by ${key} limit ${ROWS_PER_CHUNK}) as held
    order by ${key}`,
  )
}

const primaryKeys = statement(
  'account.primary-keys',
  `select held.name as table, array_agg(attname::text order by position) as "keyColumns"
  from unnest(:tables::text[]) as held (name)
    join pg_constraint on conrelid = held.name::regclass and contype = 'p'
    cross join lateral unnest(conkey) with ordinality as key (attnum, position)
    join pg_attribute on attrelid = conrelid and pg_attribute.attnum = key.attnum
  group by held.name`,
)

/** Not about the user: from which local date on the download has all focus sessions. */
const marks = statement('account.retention-marks', 'select sessions_from from retention_marks')

/**
 * Yields all data about the user as one JSON object with a member for each table, in chunks of text. The last member is no table
 * of theirs: it says from which date on no session was purged.
 */
export async function* readMyData(db: Db, { userId }: Actor): AsyncGenerator<string> {
  const rows = await db.query<{ table: string; keyColumns: string[] }>(primaryKeys, {
    tables: Object.keys(PERSONAL_DATA),
  })
  const keyColumnsOf = new Map(rows.map(({ table, keyColumns }) => [table, keyColumns]))
  let before = '{'
  for (const table of Object.keys(PERSONAL_DATA)) {
    yield `${before}${JSON.stringify(table)}:[`
    yield* rowsOf(db, userId, table, keyColumnsOf.get(table) ?? [])
    before = '],'
  }
  yield `],"retention_marks":${JSON.stringify(await db.query(marks))}}`
}

async function* rowsOf(db: Db, userId: string, table: string, keyColumns: string[]): AsyncGenerator<string> {
  let lastKey: string | undefined
  for (;;) {
    const isFirst = lastKey === undefined
    const chunk = await db.query<{ row: string; key: string }>(
      chunkStatement(table, keyColumns, isFirst ? 'first' : 'next'),
      { userId, secrets: [...SECRETS, ...(OF_OTHERS[table] ?? [])], ...(!isFirst && { lastKey }) },
    )
    // The embedded database responds in the same turn of the event loop. Yield, so that other requests can run.
    await nextTurn()
    if (chunk.length > 0) yield `${isFirst ? '' : ','}${chunk.map(({ row }) => row).join(',')}`
    if (chunk.length < ROWS_PER_CHUNK) return
    lastKey = chunk.at(-1)?.key
  }
}
