import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { digitsOf } from '@deeb/core/account/code'
import * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { mayMail } from '../../mail/mail-budgets.ts'
import { companyCodeMail, movedAddressMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type SessionAnswer, sessionAnswer } from '../auth-session/session-answer.ts'
import { unseal } from '../factors/seal.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { hashLinkToken } from '../links/link-token.ts'
import { IS_MOVED_BY_DIRECTORY } from '../user/move-address.ts'
import { flowContext } from './callback.ts'
import type { Claims } from './claims.ts'
import { sha256 } from './flow.ts'
import { settle } from './identity.ts'
import { findProvider } from './provider.ts'

export const ExchangeInput = v.object({ auth_code: v.string(), code_verifier: v.string() })

/** The code of an email is the second part of the proof; `token_hash` is the code of the sign-in that it belongs to. */
export const CompanyCodeInput = v.object({ token_hash: v.string(), token: v.string() })

const EXCHANGE_MINUTES = 5
const CODE_MINUTES = 15

/** A sign-in whose provider has answered: a row of auth.flow_state. */
interface StoredFlow {
  id: string
  providerId: string
  codeHash: Buffer
  codeChallenge: string
  linkingSessionId: string | null
  claims: Claims
  refreshToken: Buffer | null
  proofHash: Buffer | null
  createdAt: Date
}

const COLUMNS = `id, provider_id as "providerId", auth_code_hash as "codeHash", code_challenge as "codeChallenge",
  linking_session_id as "linkingSessionId", claims, idp_refresh_token as "refreshToken", proof_hash as "proofHash",
  created_at as "createdAt"`

/* A code counts once, also with a wrong verifier: somebody else has it. */
const take = statement(
  'auth.take-flow',
  `delete from auth.flow_state where auth_code_hash = :codeHash and proof_hash is null returning ${COLUMNS}`,
)

/**
 * Exchanges the code of a company sign-in for an auth session. The verifier proves that the same client began, so a code from the
 * address bar, the history or another app is worth nothing.
 *
 * Throws `flow_state_not_found` for an unknown or used code, `bad_code_verifier`, `flow_state_expired`,
 * `provider_email_needs_verification` after a code was emailed, `over_request_rate_limit`, and the errors of settle().
 */
export async function exchange(
  auth: AuthDeps,
  body: () => v.InferOutput<typeof ExchangeInput>,
  call: Call,
): Promise<SessionAnswer> {
  const { caller, now } = call
  const outcome = await auth.limits.companyExchange.limitGuess(caller.ip, now, async () => {
    const { auth_code, code_verifier } = body()
    const [flow] = await auth.db.query<StoredFlow>(take, { codeHash: hashLinkToken(auth_code) })
    if (!flow) throw new AuthError('flow_state_not_found')
    if (!isSame(sha256(code_verifier), flow.codeChallenge)) throw new AuthError('bad_code_verifier')
    if (isOlder(flow, EXCHANGE_MINUTES, now)) throw new AuthError('flow_state_expired')
    return complete(auth, flow, { isAddressProven: false }, call)
  })
  auth.mailer.kick()
  if (outcome instanceof AuthError) throw outcome
  return outcome
}

/* Counts the try before the code is compared, so that concurrent ones count too. */
const countTry = statement(
  'auth.try-company-code',
  `update auth.flow_state set proof_attempts = proof_attempts + 1
  where auth_code_hash = :codeHash and proof_hash is not null and proof_attempts < ${LIMITS.companyCode.max}
    and created_at > :now::timestamptz - interval '${CODE_MINUTES} minutes'
  returning ${COLUMNS}`,
)

const spend = statement('auth.spend-flow', 'delete from auth.flow_state where id = :id returning id')

/**
 * Completes a company sign-in with the six digits that were emailed. They work in this sign-in only. Throws `otp_expired` for an
 * unknown sign-in, after 15 minutes or 5 codes, `invalid_credentials` for a wrong code, and the errors of settle().
 */
export async function enterCode(
  auth: AuthDeps,
  { token_hash, token }: v.InferOutput<typeof CompanyCodeInput>,
  call: Call,
): Promise<SessionAnswer> {
  const { now } = call
  const [flow] = await auth.db.query<StoredFlow>(countTry, { codeHash: hashLinkToken(token_hash), now })
  if (!flow?.proofHash) throw new AuthError('otp_expired')
  const isRight = timingSafeEqual(hashOf(flow.id, digitsOf(token)), flow.proofHash)
  if (!isRight) throw new AuthError('invalid_credentials', { message: 'The code is wrong.' })
  const [spent] = await auth.db.query(spend, { id: flow.id })
  if (!spent) throw new AuthError('otp_expired')
  const outcome = await complete(auth, flow, { isAddressProven: true }, call)
  auth.mailer.kick()
  if (outcome instanceof AuthError) throw outcome
  return outcome
}

/** Opens the auth session, or emails a code and returns the error that asks for it. */
async function complete(
  auth: AuthDeps,
  flow: StoredFlow,
  { isAddressProven }: { isAddressProven: boolean },
  call: Call,
): Promise<SessionAnswer | AuthError> {
  const { now } = call
  const provider = await findProvider(auth.db, { id: flow.providerId })
  // The administrator has switched it off since then.
  if (!provider) throw new AuthError('flow_state_not_found')
  const { claims, linkingSessionId } = flow
  const sealed = flow.refreshToken
  const refreshToken = sealed && unseal(auth.keys.sealKeys, sealed, flowContext(flow.id)).toString()
  const answered = { provider, claims, refreshToken, linkingSessionId, isAddressProven }
  const outcome = await auth.db.transaction(async (db) => {
    const settled = await settle(db, auth, answered, call)
    if ('codeFor' in settled) await askForCode(db, flow, settled.codeFor, call)
    return settled
  })
  if ('session' in outcome) return sessionAnswer(auth, outcome.session, now)
  const message = `We have sent a code to ${outcome.codeFor}.`
  return new AuthError('provider_email_needs_verification', { message })
}

const ask = statement(
  'auth.ask-company-code',
  `with owner as (
    select exists (select from auth.users where email = :email and ${IS_MOVED_BY_DIRECTORY}) as is_moved
  ), kept as (
    insert into auth.flow_state (id, provider_id, auth_code_hash, code_challenge, claims, idp_refresh_token, proof_hash, created_at)
    select :id, :providerId, :codeHash, :codeChallenge, :claims, :refreshToken,
      case when not is_moved and ${mayMail('sso_code')} then :proofHash::bytea else :noHash end, :now
    from owner returning id
  ), mailed as (
    ${outboxInsert({
      recipient: ':email',
      askedBy: ':askedBy',
      texts: 'case when is_moved then :movedTexts::text else :mailTexts end',
      from: `kept cross join owner where ${mayMail('sso_code')}`,
    })}
    returning id
  )
  ${auditInsert({
    action: "'sso_code'",
    userId: '(select id from auth.users where email = :email)',
    detail: "jsonb_build_object('mailed', exists (select from mailed))",
  })}`,
)

/** Keeps the sign-in until the code from the email is typed. Beyond the email limit no email is sent, and the answer is the same. */
async function askForCode(
  db: Db,
  flow: StoredFlow,
  email: string,
  { caller: { ip, language }, now }: Call,
): Promise<void> {
  const digits = String(randomInt(1_000_000)).padStart(6, '0')
  const { id, providerId, codeHash, codeChallenge, claims, refreshToken } = flow
  await db.query(ask, {
    ...{ id, providerId, codeHash, codeChallenge, claims: JSON.stringify(claims), refreshToken },
    proofHash: hashOf(id, digits),
    // Digits that were not sent must not open anything: they could be guessed unseen.
    noHash: randomBytes(32),
    email,
    askedBy: requesterOf(flow),
    ip,
    now,
    movedTexts: JSON.stringify(movedAddressMail('sso_code').texts),
    ...mailParams(companyCodeMail(digits), language),
  })
}

/** The identity at the provider, hashed. Not the network: colleagues share it, and one of them may claim an address of another. */
function requesterOf({ providerId, claims }: StoredFlow): string {
  return sha256(`${providerId} ${claims.sub}`)
}

function hashOf(flowId: string, digits: string): Buffer {
  return createHash('sha256').update(`${flowId} ${digits}`).digest()
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function isOlder({ createdAt }: StoredFlow, minutes: number, now: Date): boolean {
  return now.getTime() >= createdAt.getTime() + minutes * 60_000
}
