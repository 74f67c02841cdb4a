import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type OpenedAuthSession, openAuthSession, USER_IS_BANNED } from '../auth-session/auth-session.ts'
import { sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { rememberNetwork } from '../limits/familiar-networks.ts'
import { hashLinkToken } from '../links/link-token.ts'

/* Consumes the token. It works only while the account still has the address that the link was emailed to. */
const spend = statement(
  'auth.spend-recovery',
  `with spent as (
    delete from auth.one_time_tokens using auth.users
    where token_hash = :tokenHash and token_type = 'recovery' and expires_at > :now
      and users.id = one_time_tokens.user_id and users.email = one_time_tokens.relates_to
    returning users.id, users.encrypted_password, by_admin, ${USER_IS_BANNED} as is_banned
  ), logged as (
    ${auditInsert({ action: "'recovered'", userId: 'id', from: 'spent' })}
  )
  select id as "userId", encrypted_password as "passwordHash", is_banned as "isBanned", by_admin as "opensCompanyOnly" from spent`,
)

/* Takes the row lock of the user first, like user-lock.ts, to prevent a deadlock with changes of the account. */
const lockUser = statement(
  'auth.lock-recovered',
  `select from auth.users where id = (select user_id from auth.one_time_tokens
    where token_hash = :tokenHash and token_type = 'recovery') for update`,
)

interface Spent {
  userId: string
  passwordHash: string | null
  isBanned: boolean
  /** The administrator issued the link. */
  opensCompanyOnly: boolean
}

/**
 * Signs in with a recovery link, so that the user can set a new password without the old one. Setting it revokes the other auth
 * sessions. Throws `otp_expired` for a link that is unknown, used, replaced or older than 30 minutes, and `user_banned`.
 */
export async function openRecovery(auth: AuthDeps, tokenHash: string, call: Call) {
  const { now } = call
  const session = await auth.db.transaction((db) => signInByLink(db, tokenHash, call))
  if (!session) throw new AuthError('otp_expired')
  return sessionAnswer(auth, session, now)
}

async function signInByLink(db: Db, tokenHash: string, call: Call): Promise<OpenedAuthSession | null> {
  const { caller, now } = call
  await db.query(lockUser, { tokenHash: hashLinkToken(tokenHash) })
  const [spent] = await db.query<Spent>(spend, { tokenHash: hashLinkToken(tokenHash), now, ip: caller.ip })
  if (!spent) return null
  if (spent.isBanned) throw new AuthError('user_banned', { status: 403 })
  await rememberNetwork(db, spent.userId, call)
  return openAuthSession(db, { ...spent, method: 'recovery' }, call)
}
