import type { FastifyInstance } from 'fastify'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { readConfig } from '../config/config.ts'
import { type Db, statement } from '../db/db.ts'
import { findWrongSums, findWrongTotals } from '../focus/check-totals.ts'
import { startServer } from '../start/start-server.ts'
import { makeUser } from './make.ts'
import { WITHOUT_DAILY_LIMIT, withoutLimits } from './without-limits.ts'

/** The first line of standard output, as JSON, printed before the server listens. */
export interface FirstWords {
  /** The content of the database after crash recovery. */
  held: Stored
  /** Access tokens of the users that were created for PEOPLE. */
  tokens: string[]
}

export interface Stored {
  sessions: { userId: string; id: string; startedAt: string; endedAt: string | null }[]
  /** Totals that differ from the sessions, sums that differ from the totals, and presence that differs from the open session. */
  wrong: unknown[]
}

const sessionsOf = statement(
  'killable.sessions',
  `select user_id as "userId", id, start_time as "startedAt", end_time as "endedAt" from deeb_sessions`,
)

/** Users whose presence differs from their open focus session. */
const wrongPresence = statement(
  'killable.presence',
  `select user_id as "userId", current_session_id as present, open.id as open
  from user_presence left join (select user_id, id from deeb_sessions where is_active) as open using (user_id)
  where current_session_id is distinct from open.id`,
)

async function readStored(db: Db): Promise<Stored> {
  const sessions = await db.query<Stored['sessions'][number]>(sessionsOf)
  const wrong = [await findWrongTotals(db), await findWrongSums(db), await db.query(wrongPresence)].flat()
  return { sessions, wrong }
}

/*
 * The real server, for crash tests. It prints the content of its database and creates PEOPLE users. Run it as a child process.
 */
const config = readConfig(process.env)
await startServer(config, { extend, callLimitStore: withoutLimits() })
process.stdout.write(`deeb runs at port ${config.port}\n`)

async function extend(_app: FastifyInstance, auth: AuthDeps): Promise<void> {
  await auth.db.script(WITHOUT_DAILY_LIMIT)
  const words: FirstWords = { held: await readStored(auth.db), tokens: [] }
  for (let i = 0; i < Number(process.env.PEOPLE ?? 0); i++) words.tokens.push((await makeUser({ auth })).accessToken)
  process.stdout.write(`${JSON.stringify(words)}\n`)
}
