import { type Db, lookup } from '../db/db.ts'
import { IS_NAMED, SESSION_ROW, type SessionRow } from './focus-state.ts'

const find = lookup(
  'focus.find-named',
  `select ${SESSION_ROW} from deeb_sessions
  where user_id = :userId and ${IS_NAMED}
  order by id = :sessionId desc
  limit 1`,
)

/**
 * The session with this id or alias, which an earlier request has stored. A repeated request whose time is refused now is answered
 * with it: it was in time when it came first.
 */
export async function findNamed(db: Db, userId: string, sessionId: string): Promise<SessionRow | undefined> {
  const [session] = await db.query<SessionRow>(find, { userId, sessionId })
  return session
}
