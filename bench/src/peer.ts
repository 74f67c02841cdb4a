import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../server/src/testing/free-port.ts'
import { PASSWORD } from './dataset.ts'
import { BENCH_FOLDER } from './folders.ts'
import { output } from './programs.ts'

const FOLDER = `${BENCH_FOLDER}peer/`
const PACKAGES = ['@supabase/lite@0.10.0', '@supabase/supabase-js@2.109.0', 'postgres@3.4.9']
const LITE = join(FOLDER, 'node_modules/@supabase/lite/dist/cli/index.js')

/** The tables of the specification. Each person reads and writes their own rows. */
const TABLES = [
  [
    'profiles',
    'id',
    'id uuid primary key, username text unique, first_name text, last_name text, email text, company_domain text',
  ],
  [
    'daily_goals',
    'user_id',
    'user_id uuid, day_of_week int, goal_minutes int not null, primary key (user_id, day_of_week)',
  ],
  ['daily_stats', 'user_id', 'user_id uuid, date text, total_minutes int not null, primary key (user_id, date)'],
  [
    'deeb_sessions',
    'user_id',
    'id uuid primary key default gen_random_uuid(), user_id uuid not null, start_time timestamptz not null, end_time timestamptz, is_active boolean not null default true',
  ],
  [
    'user_presence',
    'user_id',
    'user_id uuid primary key, is_in_deeb_mode boolean not null default false, current_session_id uuid',
  ],
] as const

/** The roles that a hosted database has by default. */
const ROLES = `create role anon nologin;
create role authenticated nologin;
create role service_role nologin bypassrls;
grant usage on schema public, auth to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to authenticated, service_role;`

const MIGRATION = [
  ROLES,
  ...TABLES.map(
    ([table, owner, columns]) => `create table ${table} (${columns});
alter table ${table} enable row level security;
create policy own on ${table} using (${owner} = auth.uid()) with check (${owner} = auth.uid());`,
  ),
  'create index deeb_sessions_active_idx on deeb_sessions (user_id) where is_active;',
].join('\n')

const FILL = `
  insert into profiles select md5('person ' || n)::uuid, 'user' || n, 'Ann', 'Meyer', n || '@large.example', 'large.example' from generate_series(1, $1::int) as n`
const FILL_GOALS = 'insert into daily_goals select id, day, 240 from profiles cross join generate_series(0, 6) as day'
const FILL_PRESENCE = 'insert into user_presence (user_id) select id from profiles'

/** The used part of supabase-js. */
interface Query extends PromiseLike<{ data: unknown; error: { message: string } | null }> {
  select(columns?: string): Query
  insert(row: object): Query
  update(row: object): Query
  eq(column: string, value: unknown): Query
  order(column: string): Query
  single(): Query
}
interface SupabaseClient {
  from(table: string): Query
  auth: {
    signUp(credentials: { email: string; password: string }): Promise<{
      data: { user: { id: string } | null }
      error: { message: string } | null
    }>
  }
}

/** A user of the peer, with the table operations of the specification. */
export interface PeerPerson {
  readHome(): Promise<void>
  /** Toggles deeb mode. */
  switch(): Promise<void>
}

export interface Peer {
  people: PeerPerson[]
  stop(): Promise<void>
}

/** Installs the peer into its own folder unless it is there already. Rejects if the installation fails. */
export async function installPeer(): Promise<void> {
  if (existsSync(LITE)) return
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, 'package.json'), '{ "private": true }\n')
  await output('npm', ['install', '--prefix', FOLDER, '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES])
}

/** Starts the peer on an empty database and adds that many people. The last ones are signed in. */
export async function startPeer(databaseUrl: string, peopleCount: number, signedIn: number): Promise<Peer> {
  const project = await mkdtemp(join(tmpdir(), 'deeb-peer-'))
  const port = await freePort()
  await mkdir(join(project, 'supabase/migrations'), { recursive: true })
  await writeFile(join(project, 'supabase/migrations/20250101000000_focus.sql'), MIGRATION)
  await writeFile(join(project, 'supabase/config.toml'), config(port, databaseUrl))
  const server = await run(project, ['migration', 'up']).then(() => start(project, port))
  const stop = async () => {
    const stopped = once(server, 'exit')
    server.kill('SIGKILL')
    await stopped
    await rm(project, { recursive: true, force: true })
  }
  try {
    // One after the other: concurrent sign-ups fail, because the peer grants rights at the first ones.
    const users = []
    for (let n = 0; n < signedIn; n++) users.push(await signUp(port, `peer.${n}@large.example`))
    const ids = users.map(({ userId }) => userId)
    await fillDatabase(databaseUrl, peopleCount, ids)
    const people = users.map(({ client, userId }) => personOn(client, userId))
    for (const person of [...people, ...people]) await person.switch()
    return { people, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const config = (port: number, databaseUrl: string) => `[api]
port = ${port}
[db]
driver = "postgres"
url = "${databaseUrl}"
[auth]
enabled = true
jwt_secret = "${'0123456789abcdef'.repeat(4)}"
jwt_expiry = 36000
enable_signup = true
[auth.email]
enable_confirmations = false
`

const ENVIRONMENT = { ...process.env, LITE_TELEMETRY: '0', NODE_ENV: 'production' }

async function run(cwd: string, args: string[]): Promise<void> {
  const child = spawn(process.execPath, [LITE, '--no-telemetry', ...args], { cwd, env: ENVIRONMENT, stdio: 'ignore' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`"${args.join(' ')}" exited with code ${code}`)
}

async function start(cwd: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [LITE, '--no-telemetry', 'start'], { cwd, env: ENVIRONMENT, stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  for (let tries = 0; tries < 1000; tries++) {
    if (child.exitCode !== null) throw new Error(`the peer exited with code ${child.exitCode} at its start`)
    const isReady = await fetch(`http://127.0.0.1:${port}/auth/v1/health`).then(
      () => true,
      () => new Promise<false>((resolve) => setTimeout(resolve, 20, false)),
    )
    if (isReady) return child
  }
  throw new Error('the peer did not answer within 20 s')
}

async function signUp(port: number, email: string) {
  const { createClient } = createRequire(join(FOLDER, 'package.json'))('@supabase/supabase-js') as {
    createClient(url: string, key: string, options: object): SupabaseClient
  }
  // Realtime is not used. The class is for versions of Node without WebSocket, where supabase-js does not start otherwise.
  const options = { auth: { persistSession: false, autoRefreshToken: false }, realtime: { transport: class {} } }
  const client = createClient(`http://127.0.0.1:${port}`, 'none', options)
  const { data, error } = await client.auth.signUp({ email, password: PASSWORD })
  if (!data.user) throw new Error(`the peer refused the sign-up: ${error?.message}`)
  return { client, userId: data.user.id }
}

async function fillDatabase(url: string, people: number, signedIn: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(FILL, [people])
  for (const [n, id] of signedIn.entries()) {
    await client.query("insert into profiles values ($1, $2, 'Ann', 'Meyer', $2, 'large.example')", [id, `peer ${n}`])
  }
  await client.query(FILL_GOALS)
  await client.query(FILL_PRESENCE)
  await client.query('vacuum analyze')
  await client.end()
}

function personOn(client: SupabaseClient, userId: string): PeerPerson {
  let sessionId: string | null = null
  const today = new Date().toISOString().slice(0, 10)
  return {
    async readHome() {
      await Promise.all([
        good(client.from('profiles').select('*').eq('id', userId).single()),
        good(client.from('daily_goals').select('*').eq('user_id', userId).order('day_of_week')),
        good(client.from('daily_stats').select('*').eq('user_id', userId).eq('date', today)),
        good(client.from('deeb_sessions').select('*').eq('user_id', userId).eq('is_active', true)),
        good(client.from('user_presence').select('*').eq('user_id', userId)),
      ])
    },
    async switch() {
      const now = new Date().toISOString()
      const presence = client.from('user_presence')
      if (sessionId === null) {
        const row = { user_id: userId, start_time: now }
        const made = await good(client.from('deeb_sessions').insert(row).select().single())
        sessionId = (made as { id: string }).id
        await good(presence.update({ is_in_deeb_mode: true, current_session_id: sessionId }).eq('user_id', userId))
      } else {
        await good(client.from('deeb_sessions').update({ end_time: now, is_active: false }).eq('id', sessionId))
        sessionId = null
        await good(presence.update({ is_in_deeb_mode: false, current_session_id: null }).eq('user_id', userId))
      }
    },
  }
}

async function good(query: Query): Promise<unknown> {
  const { data, error } = await query
  if (error) throw new Error(`the peer answered: ${error.message}`)
  return data
}
