import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { FIRST_ACCOUNT } from '@deeb/core/account/first-account'
import { APP_PATHS } from '@deeb/core/paths'
import type { Keys } from '../../config/keys.ts'
import { statement } from '../../db/db.ts'
import { lockAddress } from '../address/address-lock.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type SessionAnswer, sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'
import type { UserMetadata } from '../user/user-metadata.ts'
import { createAndSignIn } from './confirm.ts'

const VALID_MS = 24 * 3_600_000

type FirstAccountKey = Pick<Keys, 'firstAccountKey'>

/**
 * The link that creates a confirmed account without an email, for 24 hours and while there is none. The person who reads the terminal of a new
 * server runs it. Its token is in the fragment, which no server receives or logs.
 */
export function firstAccountLink(publicUrl: string, { firstAccountKey }: FirstAccountKey, now: Date): string {
  const expiry = Buffer.alloc(4)
  expiry.writeUInt32BE(Math.floor((now.getTime() + VALID_MS) / 1000))
  const token = Buffer.concat([expiry, mac(firstAccountKey, expiry)]).toString('base64url')
  return `${publicUrl}${APP_PATHS.signUp}#${FIRST_ACCOUNT}=${token}`
}

function isValid({ firstAccountKey }: FirstAccountKey, token: unknown, now: Date): boolean {
  const bytes = Buffer.from(typeof token === 'string' ? token : '', 'base64url')
  const [expiry, sent] = [bytes.subarray(0, 4), bytes.subarray(4)]
  const right = mac(firstAccountKey, expiry)
  return sent.length === right.length && timingSafeEqual(sent, right) && now.getTime() < expiry.readUInt32BE() * 1000
}

function mac(key: Buffer, expiry: Buffer): Buffer {
  return createHmac('sha256', key).update(expiry).digest()
}

/** No account can be created by another transaction until the end of this one. */
const lockAccounts = statement('auth.lock-accounts', 'lock table auth.users in share row exclusive mode')

const insertFirst = statement(
  'auth.first-account',
  `insert into auth.pending_signups (id, email, password_hash, user_meta, token_hash, created_at, expires_at)
  select :id, :email, :passwordHash, :userMetadata, :tokenHash, :now, :now
  where not exists (select from auth.users)
  returning id`,
)

interface FirstAccount {
  email: string
  passwordHash: string
  userMetadata: UserMetadata
}

/** Throws `otp_expired` if the token of the link is older than 24 hours or not of this server. */
export function requireFirstToken(auth: AuthDeps, token: unknown, now: Date): void {
  if (!isValid(auth.keys, token, now)) throw new AuthError('otp_expired')
}

/** Creates the first account, whose address is taken for confirmed, and signs in. Throws `otp_expired` if there is an account already. */
export async function createFirstAccount(auth: AuthDeps, account: FirstAccount, call: Call): Promise<SessionAnswer> {
  const { email, passwordHash, userMetadata } = account
  const session = await auth.db.transaction(async (db) => {
    // In the order of every other flow, to prevent a deadlock.
    await lockAddress(db, email)
    await db.query(lockAccounts)
    const attempt = { id: randomUUID(), email, passwordHash }
    const { tokenHash } = makeLinkToken()
    const params = { ...attempt, tokenHash, userMetadata: JSON.stringify(userMetadata), now: call.now }
    const [pending] = await db.query(insertFirst, params)
    return pending ? createAndSignIn(db, auth, attempt, call) : null
  })
  if (!session) throw new AuthError('otp_expired')
  return sessionAnswer(auth, session, call.now)
}
