import * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import { requireEmail } from '../address/require-email.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { isCompanyOnly, requireMayMove } from '../company/only-by-company.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { newPassword } from '../password/new-password.ts'
import { IS_PROVEN } from '../proof.ts'
import { requestEmailChange } from './change-email.ts'
import { changeMetadata } from './change-metadata.ts'
import { type AccountToChange, changePassword } from './change-password.ts'
import { currentUser } from './current-user.ts'
import { withUserLock } from './user-lock.ts'
import { metadataChange } from './user-metadata.ts'

export const UpdateUserInput = v.object({
  email: v.optional(v.string()),
  password: v.optional(v.string()),
  current_password: v.optional(v.nullable(v.string())),
  data: v.optional(v.unknown()),
})

/** An auth session from a recovery link may set a password without the current one for this long. */
const RECOVERY_TTL_SECONDS = 15 * 60

const read = statement(
  'auth.account-to-change',
  `select users.email, users.encrypted_password as "passwordHash", sessions.amr, ${IS_PROVEN} as "isProven",
    ${IS_BANNED} as "isBanned", ${NEEDS_AAL2} as "needsAal2", ${isCompanyOnly('users.email_domain')} as "isCompanyOnly"
  from auth.sessions join auth.users on users.id = sessions.user_id where ${IS_PRINCIPALS}`,
)

/**
 * Changes password, address and metadata of the user in one transaction. A new password takes effect immediately and revokes the
 * other auth sessions. A new address takes effect when the link in the email to it is opened. Throws `session_not_found`,
 * `user_banned`, `insufficient_aal`, `current_password_required`, `current_password_invalid`, `weak_password`, `same_password`,
 * `validation_failed`, `user_sso_managed`, `over_request_rate_limit` and `over_email_send_rate_limit`; in an account without a password
 * `reauthentication_needed` instead of the two about the current one.
 */
export async function updateUser(
  auth: AuthDeps,
  principal: Principal,
  input: v.InferOutput<typeof UpdateUserInput>,
  call: Call,
) {
  const { caller, now } = call
  const account = await readAccount(auth.db, principal, now)
  const email = input.email === undefined ? account.email : requireEmail(input.email)
  if (email !== account.email) await requireMayMove(auth.db, account.email, email)
  if (input.password !== undefined && account.isCompanyOnly) throw new AuthError('user_sso_managed')
  const change = metadataChange(input.data)
  const password = input.password === undefined ? null : newPassword(input.password, account.email, auth.passwordPolicy)
  const changesEmail = email !== account.email
  if (changesEmail || (password !== null && !wasRecovered(account, now))) {
    await requireCurrentPassword(auth, principal, account, input.current_password ?? null, now)
  }
  const passwordHash = password === null ? null : await hashNewPassword(auth, principal, account, password, now)
  const write = () =>
    withUserLock(auth.db, principal.userId, async (db) => {
      // Checked again under the row lock: hashing takes time, and the account may have changed since.
      await readAccount(db, principal, now)
      if (change) await changeMetadata(db, principal, change, now)
      // The password first: it invalidates all pending links, and the new one for the address must stay valid.
      const ended = passwordHash === null ? [] : await changePassword(db, principal, account, passwordHash, call)
      if (changesEmail) await requestEmailChange(db, auth.config.publicUrl, principal, email, call)
      return ended
    })
  const ended = changesEmail ? await auth.limits.requestEmail.limit(caller.ip, now, write) : await write()
  for (const id of ended) auth.sessionAlive.invalidate(id)
  auth.mailer.kick()
  return currentUser(auth, principal, now)
}

interface ReadAccount extends AccountToChange {
  isBanned: boolean
  needsAal2: boolean
  isCompanyOnly: boolean
}

async function readAccount(db: Db, { sessionId, userId, binding }: Principal, now: Date): Promise<ReadAccount> {
  const [account] = await db.query<ReadAccount>(read, {
    sessionId,
    userId,
    now,
    binding,
  })
  if (!account) throw new AuthError('session_not_found')
  if (account.isBanned) throw new AuthError('user_banned', { status: 403 })
  if (account.needsAal2) throw new AuthError('insufficient_aal')
  return account
}

function wasRecovered({ amr }: AccountToChange, now: Date): boolean {
  const since = now.getTime() / 1000 - RECOVERY_TTL_SECONDS
  return amr.some(({ method, timestamp }) => method === 'recovery' && timestamp > since)
}

async function requireCurrentPassword(
  { limits, passwords }: AuthDeps,
  { userId }: Principal,
  { passwordHash, isProven, isCompanyOnly }: ReadAccount,
  typed: string | null,
  now: Date,
): Promise<void> {
  // A password that no longer signs in is no proof either.
  if (passwordHash === null || isCompanyOnly) {
    if (!isProven) throw new AuthError('reauthentication_needed')
    return
  }
  if (!typed) throw new AuthError('current_password_required')
  const isRight = await limits.guessCurrentPassword(userId, now, () => passwords.verify(passwordHash, typed))
  if (!isRight) throw new AuthError('current_password_invalid')
}

/**
 * Hashes the new password. Throws `same_password` if it equals the old one. After a recovery link this counts as a guess, which
 * prevents a brute force of the old password here.
 */
async function hashNewPassword(
  { limits, passwords }: AuthDeps,
  { userId }: Principal,
  account: AccountToChange,
  password: string,
  now: Date,
): Promise<string> {
  const isSame = () => passwords.verify(account.passwordHash, password)
  const refused = wasRecovered(account, now) ? await limits.guessCurrentPassword(userId, now, isSame) : await isSame()
  if (refused) throw new AuthError('same_password')
  return passwords.hash(password)
}
