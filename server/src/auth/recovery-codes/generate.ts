import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import { recoveryCodesMadeMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { FactorName } from '../factors/enroll.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { IS_PROVEN, requireRights } from '../proof.ts'
import { withUserLock } from '../user/user-lock.ts'
import { CODES, hashCode, makeCodes } from './recovery-code.ts'

/** auth-js sends no body without a name. */
export const GenerateInput = v.optional(v.nullable(v.object({ friendly_name: v.optional(v.nullable(FactorName)) })))

const readOwner = statement(
  'auth.recovery-codes-owner',
  `select ${NEEDS_AAL2} as "needsAal2", ${IS_PROVEN} as "isProven", factor.id as "factorId", factor.friendly_name as name,
    exists (select from auth.mfa_factors as app
      where app.user_id = sessions.user_id and app.factor_type = 'totp' and app.status = 'verified') as "hasApp",
    exists (select from auth.mfa_factors as other
      where other.user_id = sessions.user_id and other.friendly_name = :name and :name <> '') as "isNameTaken"
  from auth.sessions
    left join auth.mfa_factors as factor on factor.user_id = sessions.user_id and factor_type = 'recovery_code'
  where ${IS_PRINCIPALS} and not ${IS_BANNED}`,
)

const WITH_CODES = `codes as (
    insert into auth.mfa_recovery_codes (factor_id, code_hash)
    select factor.id, hash from factor cross join unnest(:hashes::bytea[]) as hash
  ), mailed as (
    ${outboxInsert({ recipient: 'users.email', from: 'factor join auth.users on users.id = factor.user_id' })}
  )
  ${auditInsert({
    action: "'recovery_codes_made'",
    userId: 'user_id',
    detail: "jsonb_build_object('factor', id)",
    from: 'factor',
  })}`

const insert = statement(
  'auth.make-recovery-codes',
  `with factor as (
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
    values (:factorId, :userId, :name, 'recovery_code', 'verified', :now, :now) returning id, user_id
  ), ${WITH_CODES}`,
)

const replace = statement(
  'auth.replace-recovery-codes',
  `with factor as (
    update auth.mfa_factors set updated_at = :now where id = :factorId and user_id = :userId returning id, user_id
  ), gone as (
    delete from auth.mfa_recovery_codes using factor where factor_id = factor.id
  ), ${WITH_CODES}`,
)

interface Owner {
  needsAal2: boolean
  isProven: boolean
  /** The recovery codes; null if there are none. */
  factorId: string | null
  name: string | null
  /** Whether the account has a verified authenticator app. */
  hasApp: boolean
  isNameTaken: boolean
}

/**
 * Makes recovery codes for an account with an authenticator app, and notifies its owner. Returns them, once. Throws
 * `session_not_found`, `insufficient_aal`, `reauthentication_needed`, `mfa_recovery_codes_sole_factor` without an app,
 * `mfa_verified_factor_exists` and `mfa_factor_name_conflict`.
 */
export async function generateCodes(
  auth: AuthDeps,
  principal: Principal,
  input: v.InferOutput<typeof GenerateInput>,
  call: Call,
) {
  const { now } = call
  const codes = makeCodes()
  const factorId = randomUUID()
  const name = input?.friendly_name ?? ''
  // The row lock serializes this with the removal of the last app, which takes the codes with it.
  await withUserLock(auth.db, principal.userId, async (db) => {
    const owner = await requireOwner(db, principal, name, now)
    if (!owner.hasApp) throw new AuthError('mfa_recovery_codes_sole_factor')
    if (owner.factorId !== null) throw new AuthError('mfa_verified_factor_exists')
    if (owner.isNameTaken) throw new AuthError('mfa_factor_name_conflict')
    await db.query(insert, { ...paramsOf(auth, codes, factorId, principal, call), name })
  })
  auth.mailer.kick()
  return answer(factorId, name, codes)
}

/**
 * Replaces all recovery codes by new ones, and notifies the owner. Returns them, once. Throws `session_not_found`,
 * `insufficient_aal`, `reauthentication_needed` and `mfa_factor_not_found`.
 */
export async function regenerateCodes(auth: AuthDeps, principal: Principal, call: Call) {
  const { now } = call
  const codes = makeCodes()
  const { factorId, name } = await withUserLock(auth.db, principal.userId, async (db) => {
    const { factorId, name } = await requireOwner(db, principal, '', now)
    if (factorId === null) throw new AuthError('mfa_factor_not_found')
    await db.query(replace, paramsOf(auth, codes, factorId, principal, call))
    return { factorId, name }
  })
  auth.mailer.kick()
  return answer(factorId, name ?? '', codes)
}

function answer(id: string, name: string, codes: string[]) {
  return { id, type: 'recovery_code', friendly_name: name, total: CODES, codes }
}

function paramsOf(
  { keys }: AuthDeps,
  codes: string[],
  factorId: string,
  { userId }: Principal,
  { caller: { ip, language }, now }: Call,
) {
  const hashes = codes.map((code) => hashCode(keys.recoveryCodeKeys[0], factorId, code))
  return { factorId, userId, now, ip, hashes, ...mailParams(recoveryCodesMadeMail(), language) }
}

async function requireOwner(
  db: Db,
  { sessionId, userId, binding }: Principal,
  name: string,
  now: Date,
): Promise<Owner> {
  const [owner] = await db.query<Owner>(readOwner, { sessionId, userId, binding, name, now })
  if (!owner) throw new AuthError('session_not_found')
  requireRights(owner)
  return owner
}
