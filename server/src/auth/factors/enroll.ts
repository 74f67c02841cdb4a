import { randomUUID } from 'node:crypto'
import { maxCharacters } from '@deeb/core/formats'
import * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import { IS_PROVEN, proveByPassword, requireRights } from '../proof.ts'
import { seal } from './seal.ts'
import { base32, makeTotpSecret, totpUri } from './totp.ts'

const MAX_FACTORS = 10

/** Visible characters only, because another app shows it. */
export const FactorName = v.pipe(v.string(), v.trim(), maxCharacters(64), v.regex(/^[^\p{C}]*$/u))

export const EnrollInput = v.object({
  factor_type: v.picklist(['totp', 'phone', 'webauthn']),
  friendly_name: v.optional(v.nullable(FactorName)),
  issuer: v.optional(v.nullable(FactorName)),
  /** Re-authenticates, for an auth session without a recent proof. */
  current_password: v.optional(v.nullable(v.string())),
})

/* Takes the row lock of the user: the limit is a count, and two concurrent enrolments could both pass it. */
const readOwner = statement(
  'auth.factor-owner',
  `select users.email, ${NEEDS_AAL2} as "needsAal2", ${IS_PROVEN} as "isProven"
  from auth.sessions join auth.users on users.id = sessions.user_id
  where ${IS_PRINCIPALS} and not ${IS_BANNED}
  for no key update of users`,
)

/* Deletes abandoned enrolments: those with the same name, and those older than an hour. */
const sweep = statement(
  'auth.sweep-factors',
  `delete from auth.mfa_factors where user_id = :userId and status = 'unverified'
    and (friendly_name = :name or created_at < :now::timestamptz - interval '1 hour')`,
)

const insert = statement(
  'auth.enroll-factor',
  `with known as (
    select friendly_name from auth.mfa_factors where user_id = :userId
  ), made as (
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
    select :id, :userId, :name, 'totp', 'unverified', :sealed, :now, :now
    where (select count(*) from known) < ${MAX_FACTORS}
      and not exists (select from known where friendly_name = :name and friendly_name <> '')
    returning id
  )
  select exists (select from made) as "isMade", (select count(*) from known) >= ${MAX_FACTORS} as "isFull"`,
)

interface Owner {
  email: string
  needsAal2: boolean
  isProven: boolean
}

/**
 * Enrolls a second factor and returns its secret for an authenticator app, once. The factor is unverified until its first code.
 *
 * Throws `session_not_found`, `insufficient_aal` in an `aal1` auth session if the user has a verified factor,
 * `reauthentication_needed` without a recent proof, `current_password_invalid`, `over_request_rate_limit`,
 * `mfa_factor_name_conflict`, `too_many_enrolled_mfa_factors`, and for unsupported types `mfa_phone_enroll_not_enabled` and
 * `mfa_webauthn_enroll_not_enabled`.
 */
export async function enroll(
  auth: AuthDeps,
  principal: Principal,
  input: v.InferOutput<typeof EnrollInput>,
  now: Date,
) {
  if (input.factor_type === 'phone') throw new AuthError('mfa_phone_enroll_not_enabled')
  if (input.factor_type === 'webauthn') throw new AuthError('mfa_webauthn_enroll_not_enabled')
  const password = input.current_password
  if (password && !(await proveByPassword(auth, principal, password, now)))
    throw new AuthError('current_password_invalid')
  const id = randomUUID()
  const name = input.friendly_name ?? ''
  const secret = makeTotpSecret()
  const sealed = seal(auth.keys.sealKeys[0], secret, id)
  const email = await auth.db.transaction((db) => addFactor(db, principal, { id, name, sealed }, now))
  const uri = totpUri(secret, { issuer: input.issuer || 'deeb', email })
  return { id, type: 'totp', friendly_name: name, totp: { secret: base32(secret), uri } }
}

async function addFactor(
  db: Db,
  { sessionId, userId, binding }: Principal,
  { id, name, sealed }: { id: string; name: string; sealed: Buffer },
  now: Date,
): Promise<string> {
  const [owner] = await db.query<Owner>(readOwner, { sessionId, userId, now, binding })
  if (!owner) throw new AuthError('session_not_found')
  requireRights(owner)
  await db.query(sweep, { userId, name, now })
  const values = { id, userId, name, sealed, now }
  const [done] = await db.query<{ isMade: boolean; isFull: boolean }>(insert, values)
  if (!done?.isMade) throw new AuthError(done?.isFull ? 'too_many_enrolled_mfa_factors' : 'mfa_factor_name_conflict')
  return owner.email
}
