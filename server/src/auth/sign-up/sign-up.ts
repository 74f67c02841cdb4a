import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type Db, statement } from '../../db/db.ts'
import { callerNetwork } from '../../limits/ip-network.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { dropped, mayMail } from '../../mail/mail-budgets.ts'
import { alreadyMail, confirmMail } from '../../mail/messages.ts'
import { lockAddress } from '../address/address-lock.ts'
import { requireEmail } from '../address/require-email.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'
import { newPassword } from '../password/new-password.ts'
import { unconfirmedUserAnswer } from '../user/user.ts'
import { signUpMetadata, type UserMetadata } from '../user/user-metadata.ts'

export const SignUpInput = z.object({
  email: z.optional(z.nullable(z.string())),
  password: z.optional(z.string()),
  data: z.optional(z.unknown()),
})

const MAIL = { recipient: '$2', askedBy: '$15', now: '$6' }

/*
 * Writes the same for an address that has an account as for one that has none: there a sign-up waits too, but its link is
 * never mailed. Each has a password and a link of its own, so that somebody else's sign-up does not change what the owner's
 * link does. A new one replaces only that of the same caller network, and its link only together with a mail.
 */
const signUpStatement = statement(
  'auth.sign-up',
  `with known as (
    select id from auth.users where email = $2
  ), room as (
    select from auth.pending_signups where email = $2 and expires_at > $6
    having count(*) < ${LIMITS.waitingSignUps.rule.max} or bool_or(caller_network = $15)
  ), mail as (
    select kind, subject, body, case when is_known then ${mayMail('already', MAIL)}
      else exists (select from room) and ${mayMail('confirm', MAIL)} end as is_allowed
    from (values (false, $8, $9, $10), (true, $11, $12, $13)) as mail (is_known, kind, subject, body)
    where is_known = exists (select from known)
  ), mailed as (
    insert into auth.outbox (id, kind, recipient, subject, body, asked_by, created_at, next_try_at)
    select $7, kind, $2, subject, body, $15, $6, $6 from mail where is_allowed
    returning id
  ), waiting as (
    insert into auth.pending_signups as before
      (id, email, caller_network, password_hash, user_meta, token_hash, created_at, expires_at)
    select $1, $2, $15, $3, $4, $5, $6, $6::timestamptz + interval '24 hours' from room
    on conflict (email, caller_network) do update set id = excluded.id, password_hash = excluded.password_hash,
      user_meta = excluded.user_meta, created_at = excluded.created_at, attempts = 0,
      token_hash = case when exists (select from mailed) then excluded.token_hash else before.token_hash end,
      expires_at = case when exists (select from mailed) then excluded.expires_at else before.expires_at end
  )
  insert into auth.audit_log (at, action, user_id, ip, detail)
  select $6, case when exists (select from known) then 'signup_repeated' else 'signup_requested' end,
    coalesce((select id from known), $1), $14, ${dropped('mail', 'mailed')}`,
)

/**
 * Takes a sign-up in and sends a mail: the link that confirms it, or word that there is an account already. The answer,
 * its time and its cost are the same in both cases. Throws `validation_failed`, `weak_password` and
 * `anonymous_provider_disabled`.
 */
export async function signUp(auth: AuthDeps, input: z.output<typeof SignUpInput>, caller: Caller, now: Date) {
  if (!input.email) throw new AuthError('anonymous_provider_disabled')
  const email = requireEmail(input.email)
  const userMetadata = signUpMetadata(input.data)
  const password = newPassword(input.password ?? '', email, auth.passwordPolicy)
  const id = randomUUID()
  const passwordHash = await auth.passwords.hash(password)
  await auth.db.transaction(async (db) => {
    await lockAddress(db, email)
    await writeSignUp(db, auth.config.publicUrl, { id, email, passwordHash, userMetadata }, caller, now)
  })
  auth.mailer.kick()
  return unconfirmedUserAnswer({ id, email, userMetadata }, now)
}

interface Attempt {
  id: string
  email: string
  passwordHash: string
  userMetadata: UserMetadata
}

async function writeSignUp(db: Db, publicUrl: string, attempt: Attempt, caller: Caller, now: Date): Promise<void> {
  const { id, email, passwordHash, userMetadata } = attempt
  const { token, tokenHash } = makeLinkToken()
  const confirm = confirmMail(publicUrl, token)
  const already = alreadyMail(publicUrl)
  await db.query(signUpStatement, [
    id,
    email,
    passwordHash,
    JSON.stringify(userMetadata),
    tokenHash,
    now,
    randomUUID(),
    confirm.kind,
    confirm.subject,
    confirm.body,
    already.kind,
    already.subject,
    already.body,
    caller.ip,
    callerNetwork(caller.ip),
  ])
}
