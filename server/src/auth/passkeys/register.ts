import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import { passkeyAddedMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { isCompanyOnly } from '../company/only-by-company.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { IS_PROVEN, requireRights } from '../proof.ts'
import { NEEDS_FACTOR } from '../required-factor.ts'
import { withUserLock } from '../user/user-lock.ts'
import { makeChallenge, readChallenge, SPEND_CHALLENGE, userHandle } from './challenge.ts'
import { MAX_PASSKEYS, PASSKEY, type Passkey } from './passkey.ts'
import { requireRelyingParty } from './relying-party.ts'
import { ALGORITHMS, checkNewCredential, NewCredential } from './webauthn.ts'

export const RegisterInput = v.object({ challenge_id: v.string(), credential: NewCredential })

const readOwner = statement(
  'auth.passkey-owner',
  `select users.email, ${NEEDS_AAL2} as "needsAal2", ${IS_PROVEN} as "isProven", ${isCompanyOnly('users.email_domain')} as "isCompanyOnly", coalesce((
      select json_agg(json_build_object('id', encode(credential_id, 'hex'), 'transports', transports) order by created_at)
      from auth.webauthn_credentials where user_id = users.id), '[]') as passkeys
  from auth.sessions join auth.users on users.id = sessions.user_id
  where ${IS_PRINCIPALS} and not ${IS_BANNED}`,
)

/* The name is `Passkey` and the lowest free number. */
const insert = statement(
  'auth.add-passkey',
  `with spent as (
    ${SPEND_CHALLENGE}
  ), made as (
    insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, sign_count, transports, aaguid,
      backup_eligible, backed_up, friendly_name, created_at, updated_at)
    select :id, :userId, :credentialId, :publicKey, :signCount, :transports, :aaguid, :backupEligible, :backedUp,
      (select 'Passkey ' || n from generate_series(1, ${MAX_PASSKEYS}) as n where 'Passkey ' || n not in (
        select friendly_name from auth.webauthn_credentials where user_id = :userId) order by n limit 1), :now, :now
    from spent
    on conflict (credential_id) do nothing
    returning *
  ), mailed as (
    ${outboxInsert({ recipient: 'users.email', from: 'made join auth.users on users.id = made.user_id' })}
  ), logged as (
    ${auditInsert({
      action: "'passkey_added'",
      userId: 'user_id',
      detail: "jsonb_build_object('passkey', id)",
      from: 'made',
    })}
  )
  select exists (select from spent) as "isSpent", (select ${PASSKEY} from made as webauthn_credentials) as passkey,
    array(select id::text from auth.sessions where user_id = :userId and ${NEEDS_FACTOR}) as waiting`,
)

interface Owner {
  email: string
  needsAal2: boolean
  isProven: boolean
  isCompanyOnly: boolean
  passkeys: { id: string; transports: string[] }[]
}

interface Registered {
  isSpent: boolean
  passkey: Passkey | null
  /** The auth sessions that had no second factor although the company requires one. */
  waiting: string[]
}

/**
 * Returns the options to create a passkey, with a challenge for the next five minutes. Throws `passkey_disabled`,
 * `session_not_found`, `user_sso_managed`, `insufficient_aal`, `reauthentication_needed` and `too_many_passkeys`.
 */
export async function registrationOptions(auth: AuthDeps, principal: Principal, now: Date) {
  const party = requireRelyingParty(auth.config.publicUrl)
  const { userId } = principal
  const { email, passkeys } = await requireOwner(auth.db, principal, now)
  const { id, challenge, expiresAt } = makeChallenge(auth.keys.passkeyKeys[0], { kind: 'registration', userId }, now)
  const options = {
    rp: { name: 'deeb', id: party.id },
    user: { id: userHandle(userId), name: email, displayName: email },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: passkeys.map(({ id, transports }) => ({
      id: Buffer.from(id, 'hex').toString('base64url'),
      type: 'public-key',
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
  return { challenge_id: id, options, expires_at: expiresAt }
}

/**
 * Adds a passkey to the account and notifies its owner. The passkey is a way to sign in; the password stays one. Throws the errors
 * of registrationOptions(), `webauthn_challenge_not_found`, also for a used challenge (replay attack),
 * `webauthn_challenge_expired`, `webauthn_verification_failed` and `webauthn_credential_exists`.
 */
export async function register(
  auth: AuthDeps,
  principal: Principal,
  input: v.InferOutput<typeof RegisterInput>,
  { caller, now }: Call,
): Promise<Passkey> {
  const party = requireRelyingParty(auth.config.publicUrl)
  const { userId } = principal
  const purpose = { kind: 'registration', userId } as const
  const { challenge, ...spent } = readChallenge(auth.keys.passkeyKeys, purpose, input.challenge_id, now)
  const registered = await checkNewCredential(party, challenge, input.credential)
  if (!registered) throw new AuthError('webauthn_verification_failed')
  const values = { ...registered, ...spent, id: randomUUID(), userId, now, ip: caller.ip }
  // The row lock serializes concurrent registrations: the limit is a count, and both could pass it.
  const { passkey, waiting } = await withUserLock(auth.db, userId, async (db) => {
    await requireOwner(db, principal, now)
    const [done] = await db.query<Registered>(insert, {
      ...values,
      ...mailParams(passkeyAddedMail(), caller.language),
    })
    if (!done?.isSpent) throw new AuthError('webauthn_challenge_not_found')
    if (!done.passkey) throw new AuthError('webauthn_credential_exists')
    return { passkey: done.passkey, waiting: done.waiting }
  })
  for (const id of waiting) auth.sessionAlive.invalidate(id)
  auth.mailer.kick()
  return passkey
}

async function requireOwner(db: Db, { sessionId, userId, binding }: Principal, now: Date): Promise<Owner> {
  const [owner] = await db.query<Owner>(readOwner, { sessionId, userId, now, binding })
  if (!owner) throw new AuthError('session_not_found')
  if (owner.isCompanyOnly) throw new AuthError('user_sso_managed')
  requireRights(owner)
  if (owner.passkeys.length >= MAX_PASSKEYS) throw new AuthError('too_many_passkeys')
  return owner
}
