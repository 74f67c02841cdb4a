import { parseEmail } from '@deeb/core/account/email'
import * as z from 'zod/mini'
import { type Db, statement } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from '../door/auth-error.ts'
import type { Caller } from '../door/caller.ts'
import { openSession } from '../session.ts'
import { sessionAnswer } from '../session-answer.ts'

export const SignInInput = z.object({ email: z.string(), password: z.string() })

const find = statement(
  'auth.find-account',
  `select id, encrypted_password as "passwordHash",
    case when banned_until > $2 then 'banned' else 'confirmed' end as state
  from auth.users where email = $1
  union all
  (select id, password_hash, 'waiting' from auth.pending_signups
   where email = $1 and not exists (select from auth.users where email = $1)
   order by created_at desc, id limit 1)`,
)

const logFailure = statement(
  'auth.log-failed-login',
  "insert into auth.audit_log (at, action, user_id, ip) values ($1, 'login_failed', $2, $3)",
)

interface Account {
  id: string
  passwordHash: string
  state: 'confirmed' | 'banned' | 'waiting'
}

/**
 * Signs in. Throws `invalid_credentials` for an unknown address as for a wrong password, after the same work, and
 * `email_not_confirmed` and `user_banned` only to whoever gave the right one.
 */
export async function signIn(auth: AuthDeps, input: z.output<typeof SignInInput>, caller: Caller, now: Date) {
  const account = await findAccount(auth.db, input.email, now)
  const isRight = await auth.passwords.verify(account?.passwordHash ?? null, input.password)
  if (!account || !isRight) {
    await auth.db.query(logFailure, [now, account?.id ?? null, caller.ip])
    throw new AuthError('invalid_credentials')
  }
  if (account.state === 'waiting') throw new AuthError('email_not_confirmed')
  if (account.state === 'banned') throw new AuthError('user_banned')
  const session = await openSession(auth.db, { userId: account.id, passwordHash: account.passwordHash }, caller, now)
  if (!session) throw new AuthError('invalid_credentials')
  return sessionAnswer(auth, session, now)
}

async function findAccount(db: Db, typed: string, now: Date): Promise<Account | undefined> {
  // What is not an address is looked for all the same: nobody has it, and the work stays the same.
  const [account] = await db.query<Account>(find, [parseEmail(typed) ?? '', now])
  return account
}
