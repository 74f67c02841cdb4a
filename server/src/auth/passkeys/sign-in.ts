import * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { type OpenedAuthSession, openAuthSession, USER_IS_BANNED } from '../auth-session/auth-session.ts'
import { type SessionAnswer, sessionAnswer } from '../auth-session/session-answer.ts'
import { isCompanyOnly } from '../company/only-by-company.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { rememberNetwork } from '../limits/familiar-networks.ts'
import { withUserLock } from '../user/user-lock.ts'
import { type Challenge, makeChallenge, readChallenge, SPEND_CHALLENGE, userHandle } from './challenge.ts'
import { requireRelyingParty } from './relying-party.ts'
import { Assertion, checkAssertion } from './webauthn.ts'

export const PasskeySignInInput = v.object({ challenge_id: v.string(), credential: Assertion })

const find = statement(
  'auth.find-passkey',
  `select id, user_id as "userId", public_key as "publicKey" from auth.webauthn_credentials
  where credential_id = :credentialId`,
)

/*
 * The counter must rise: a clone of the passkey has an older one. Passkeys that are synchronised between devices always say 0; for
 * them only the challenge prevents a replay.
 */
const use = statement(
  'auth.use-passkey',
  `with spent as (
    ${SPEND_CHALLENGE}
  ), passkey as (
    select id, user_id, sign_count from auth.webauthn_credentials where id = :passkeyId
  ), used as (
    update auth.webauthn_credentials
    set sign_count = :signCount, backed_up = :backedUp, last_used_at = :now, updated_at = :now from spent
    where id = :passkeyId and (sign_count < :signCount or (sign_count = 0 and :signCount = 0))
    returning id
  ), logged as (
    ${auditInsert({
      action: "'passkey_refused'",
      userId: 'user_id',
      detail: "jsonb_build_object('passkey', id, 'counter', :signCount::bigint, 'last_counter', sign_count)",
      from: 'passkey cross join spent where not exists (select from used)',
    })}
  )
  select exists (select from spent) as "isSpent", exists (select from used) as "isUsed",
    encrypted_password as "passwordHash", ${USER_IS_BANNED} as "isBanned",
    ${isCompanyOnly('users.email_domain')} as "isCompanyOnly"
  from passkey join auth.users on users.id = passkey.user_id`,
)

interface Proven extends Omit<Challenge, 'challenge'> {
  passkeyId: string
  userId: string
  signCount: number
  backedUp: boolean
}

interface Use {
  isSpent: boolean
  isUsed: boolean
  passwordHash: string | null
  isBanned: boolean
  isCompanyOnly: boolean
}

/** Returns the options to sign in with a passkey, with a challenge for the next five minutes. Throws `passkey_disabled`. */
export function signInOptions({ config, keys }: AuthDeps, now: Date) {
  const party = requireRelyingParty(config.publicUrl)
  const { id, challenge, expiresAt } = makeChallenge(keys.passkeyKeys[0], { kind: 'authentication' }, now)
  const options = { rpId: party.id, challenge, timeout: 300_000, userVerification: 'required' }
  return { challenge_id: id, options, expires_at: expiresAt }
}

/**
 * Signs in with a passkey. Its authenticator has verified the user, so it is two factors: the auth session is `aal2`.
 *
 * Throws `passkey_disabled`, `webauthn_challenge_not_found`, also for a used challenge (replay attack),
 * `webauthn_challenge_expired`, `webauthn_verification_failed`, also for a clone and an unknown passkey, `user_banned` and
 * `user_sso_managed` only for a valid passkey, and `over_request_rate_limit`.
 */
export async function signInByPasskey(
  auth: AuthDeps,
  body: () => v.InferOutput<typeof PasskeySignInInput>,
  call: Call,
): Promise<SessionAnswer> {
  const { caller, now } = call
  const proven = await auth.limits.signIn.limitGuess(caller.ip, now, async () => {
    const proven = await checkPasskey(auth, body(), now)
    auth.limits.takeSuccessfulSignIn(proven.userId, caller, now)
    return proven
  })
  const outcome = await withUserLock(auth.db, proven.userId, (db) => open(db, proven, call))
  if (outcome instanceof AuthError) throw outcome
  return sessionAnswer(auth, outcome, now)
}

async function checkPasskey(
  { config, db, keys }: AuthDeps,
  { challenge_id, credential }: v.InferOutput<typeof PasskeySignInInput>,
  now: Date,
): Promise<Proven> {
  const party = requireRelyingParty(config.publicUrl)
  const { challenge, ...spent } = readChallenge(keys.passkeyKeys, { kind: 'authentication' }, challenge_id, now)
  const [passkey] = await db.query<{ id: string; userId: string; publicKey: Buffer }>(find, {
    credentialId: Buffer.from(credential.id, 'base64url'),
  })
  const isOwners = passkey && credential.response.userHandle === userHandle(passkey.userId)
  const checked = isOwners ? await checkAssertion(party, challenge, credential, passkey.publicKey) : null
  if (!passkey || !checked) throw new AuthError('webauthn_verification_failed')
  return { ...spent, ...checked, passkeyId: passkey.id, userId: passkey.userId }
}

/** Returns an error instead of throwing it: the transaction must commit what it wrote about the attempt. */
async function open(db: Db, { userId, ...proven }: Proven, call: Call): Promise<OpenedAuthSession | AuthError> {
  const { caller, now } = call
  const [done] = await db.query<Use>(use, { ...proven, now, ip: caller.ip })
  // The passkey was removed concurrently.
  if (!done) return new AuthError('webauthn_verification_failed')
  if (!done.isSpent) return new AuthError('webauthn_challenge_not_found')
  if (!done.isUsed) return new AuthError('webauthn_verification_failed')
  if (done.isBanned) return new AuthError('user_banned', { status: 403 })
  if (done.isCompanyOnly) return new AuthError('user_sso_managed')
  await rememberNetwork(db, userId, call)
  const { passwordHash } = done
  const proof = { userId, passwordHash, method: 'passkey', passkeyId: proven.passkeyId } as const
  const session = await openAuthSession(db, proof, call)
  return session ?? new AuthError('webauthn_verification_failed')
}
