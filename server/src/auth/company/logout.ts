import { createHash } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import { withUserLock } from '../user/user-lock.ts'
import type { CompanyDeps } from './company-deps.ts'
import { findProvider, type Provider } from './provider.ts'

/** Only signatures by a private key: with an HMAC everybody who has the client secret could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_AGE_SECONDS = 300
/** The clock of the provider may differ this much. */
const CLOCK_TOLERANCE_SECONDS = 30
/** A token is stored a little longer than it is accepted, because the clocks of two servers differ. */
const SPENT_MS = 600_000

const spend = statement(
  'auth.spend-logout-token',
  `insert into auth.spent_tokens (hash, expires_at) values (:hash, :until) on conflict do nothing returning hash`,
)

const findUsers = statement(
  'auth.users-to-log-out',
  `select user_id as "userId" from auth.identities where sso_provider_id = :providerId and provider_id = :sub
  union select user_id from auth.sessions where sso_provider_id = :providerId and sso_sid = :sid
  order by 1`,
)

/*
 * With a `sid` one sign-in ends, without one all sign-ins of the person by this provider. Other auth sessions stay. A sign-in whose ID
 * token had no `sid` may be meant by any `sid`, so it ends with the person.
 */
const end = statement(
  'auth.end-company-sessions',
  `with ended as (
    delete from auth.sessions where user_id = :userId and sso_provider_id = :providerId
      and (:sid::text is null or sso_sid = :sid or (sso_sid is null and exists (
        select from auth.identities where identities.user_id = sessions.user_id
          and identities.sso_provider_id = :providerId and provider_id = :sub)))
    returning id
  ), logged as (
    ${auditInsert({
      action: "'logout'",
      userId: ':userId',
      ip: 'null',
      detail: `'{"scope": "company"}'`,
      from: '(select 1 where exists (select from ended)) as one',
    })}
  )
  select id::text from ended`,
)

/* Sign-ins that the provider has answered, but whose code was not exchanged yet. */
const forgetFlows = statement(
  'auth.forget-flows',
  `delete from auth.flow_state where provider_id = :providerId
    and (claims->>'sid' = :sid or ((:sid::text is null or claims->>'sid' is null) and claims->>'sub' = :sub))`,
)

interface Logout {
  sub: string | null
  sid: string | null
  hash: Buffer
}

/**
 * Ends the auth sessions that a provider names in a logout token (OpenID Connect Back-Channel Logout). Their tokens and streams end
 * immediately. False if the token is invalid, was used before or belongs to no provider. An unknown sign-in is not an error.
 */
export async function logOut(auth: CompanyDeps, key: string, token: string, now: Date): Promise<boolean> {
  const provider = await findProvider(auth.db, { key })
  const logout = provider && (await verify(auth, provider, token, now))
  if (!provider || !logout) return false
  const ended = await auth.db.transaction((db) => endNamed(db, provider, logout, now))
  for (const id of ended ?? []) auth.sessionAlive.invalidate(id)
  return ended !== null
}

/** The subject and sign-in of a valid logout token; null otherwise. Rejects if the provider does not answer. */
async function verify(auth: CompanyDeps, provider: Provider, token: string, now: Date): Promise<Logout | null> {
  const client = await auth.oidc.of(provider)
  try {
    const { payload } = await jwtVerify(token, client.keys, {
      algorithms: ALGORITHMS,
      typ: 'logout+jwt',
      issuer: client.config.serverMetadata().issuer,
      audience: provider.clientId,
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      currentDate: now,
    })
    return logoutOf(provider, payload)
  } catch (error) {
    if (error instanceof errors.JOSEError && !UNANSWERED.includes(error.code)) return null
    throw error
  }
}

/** Codes of jose for keys that could not be read. */
const UNANSWERED = ['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC']

function logoutOf(provider: Provider, { sub, sid, jti, nonce, events }: JWTPayload): Logout | null {
  const event = (events as Record<string, unknown> | null)?.[EVENT]
  const isLogout = typeof event === 'object' && event !== null && !Array.isArray(event)
  const named = { sub: textOf(sub), sid: textOf(sid) }
  // An ID token has a nonce: somebody sends it in place of a logout token.
  if (!isLogout || nonce !== undefined || !jti || (named.sub === null && named.sid === null)) return null
  return { ...named, hash: createHash('sha256').update(`logout ${provider.id} ${jti}`).digest() }
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && /^[\x20-\x7e]{1,255}$/.test(claim) ? claim : null
}

/** Returns the ids of the auth sessions that ended; null if the token was used before. */
async function endNamed(db: Db, { id }: Provider, { sub, sid, hash }: Logout, now: Date): Promise<string[] | null> {
  const [spent] = await db.query(spend, { hash, until: new Date(now.getTime() + SPENT_MS) })
  if (!spent) return null
  await db.query(forgetFlows, { providerId: id, sub, sid })
  const ended: string[] = []
  for (const { userId } of await db.query<{ userId: string }>(findUsers, { providerId: id, sub, sid })) {
    const rows = await withUserLock(db, userId, (db) =>
      db.query<{ id: string }>(end, { userId, providerId: id, sub, sid, now }),
    )
    ended.push(...rows.map((row) => row.id))
  }
  return ended
}
