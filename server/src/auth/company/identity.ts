import { randomUUID } from 'node:crypto'
import { type Db, statement, violatedConstraint } from '../../db/db.ts'
import { companyConnectedMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { createProfile } from '../../profile/create-profile.ts'
import { lockAddress } from '../address/address-lock.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import {
  type AuthSession,
  IS_BOUND,
  IS_USABLE,
  NEEDS_AAL2,
  type OpenedAuthSession,
  openAuthSession,
  SESSION_COLUMNS,
  USER_IS_BANNED,
} from '../auth-session/auth-session.ts'
import { seal } from '../factors/seal.ts'
import { AuthError } from '../http/auth-error.ts'
import { bindingOf } from '../http/browser-cookie.ts'
import type { Call } from '../http/caller.ts'
import { rememberNetwork } from '../limits/familiar-networks.ts'
import { isFresh } from '../proof.ts'
import { withUserLock } from '../user/user-lock.ts'
import type { Claims } from './claims.ts'
import { isInactiveInDirectory } from './inactive-in-directory.ts'
import type { Provider } from './provider.ts'
import { UNCHECKED_HOURS } from './unwatched.ts'

/** A completed sign-in at a provider. */
export interface Answered {
  provider: Provider
  claims: Claims
  /** The provider's refresh token; null if it gave none. */
  refreshToken: string | null
  linkingSessionId: string | null
  /** Whether the person has typed the code from the email to the claimed address. */
  isAddressProven: boolean
}

/** The result of an answer: an auth session, or a code to email to this address. */
export type Outcome = { session: AuthSession | OpenedAuthSession } | { codeFor: string }

/** An identity is asked about again after this time. */
export const RECHECK_HOURS = 20

const GOOGLE = 'https://accounts.google.com'

/** Context of a refresh token in auth.identities. */
export const identityContext = (identityId: string) => `sso-refresh:${identityId}`

/** SQL: the enabled provider `:providerId` speaks for the domain in `column`. */
const speaksFor = (column: string) => `exists (select from auth.sso_domains join auth.sso_providers
    on sso_providers.id = sso_domains.provider_id
    where domain = ${column} and sso_providers.id = :providerId and disabled_at is null)`

/**
 * Finds or creates the account of a person whom a provider has authenticated, and opens its auth session. Call it in a transaction.
 *
 * An identity is the provider and its subject. The claimed address only finds an account, within the domains that the administrator
 * gave to the provider, and after a code from its mailbox. Throws `email_address_not_authorized`, `user_banned`,
 * `identity_already_exists`, `session_not_found` when linking, and `over_request_rate_limit`.
 */
export async function settle(db: Db, auth: AuthDeps, answered: Answered, call: Call): Promise<Outcome> {
  const { now } = call
  if (answered.linkingSessionId !== null) return link(db, auth, answered, answered.linkingSessionId, call)
  const known = await findIdentity(db, answered)
  if (known && needsCodeAsProof(answered, now)) return requestCode(db, answered, known, now)
  if (known) return openKnown(db, auth, answered, known, call)
  const email = await requireClaimedAddress(db, answered)
  await lockAddress(db, email)
  // Two first sign-ins of one person may run concurrently.
  const concurrent = await findIdentity(db, answered)
  if (concurrent) return openKnown(db, auth, answered, concurrent, call)
  const { provider, claims, isAddressProven } = answered
  const [owner] = await db.query<{ id: string }>(findByAddress, { email })
  if (owner) await requireConnectable(db, answered, owner.id, now)
  const isVerified = claims.isEmailVerified || provider.trustsEmail
  if (!isAddressProven && (owner || !isVerified)) return { codeFor: email }
  const userId = owner?.id ?? (await createAccount(db, auth, answered, email, call))
  await connect(db, auth, answered, { userId, isNotified: owner !== undefined }, call)
  return { session: await open(db, auth, answered, userId, call) }
}

const findIdentityStatement = statement(
  'auth.find-identity',
  `select id, user_id as "userId", idp_refresh_token is not null as "isRechecked" from auth.identities
  where sso_provider_id = :providerId and provider_id = :sub`,
)

interface Identity {
  id: string
  userId: string
  isRechecked: boolean
}

async function findIdentity(db: Db, { provider, claims }: Answered): Promise<Identity | null> {
  const [found] = await db.query<Identity>(findIdentityStatement, { providerId: provider.id, sub: claims.sub })
  return found ?? null
}

const findByAddress = statement('auth.company-account', 'select id from auth.users where email = :email')

const readAccountStatement = statement(
  'auth.company-account-state',
  `select email, email_domain as domain, encrypted_password as "passwordHash", ${USER_IS_BANNED} as "isBanned",
    ${speaksFor('users.email_domain')} as "isOfCompany", ${isInactiveInDirectory('users.email', 'users.email_domain')} as "hasLeft",
    exists (select from auth.identities where identities.user_id = users.id and sso_provider_id = :providerId)
      as "isConnected"
  from auth.users where id = :userId`,
)

interface Account {
  email: string
  domain: string
  passwordHash: string | null
  isBanned: boolean
  isOfCompany: boolean
  hasLeft: boolean
  isConnected: boolean
}

/** Reads an account that this provider may open. Throws `email_address_not_authorized` and `user_banned`. */
async function requireAccount(db: Db, { provider, claims }: Answered, userId: string, now: Date): Promise<Account> {
  const [account] = await db.query<Account>(readAccountStatement, { providerId: provider.id, userId, now })
  // The account was deleted concurrently.
  if (!account?.isOfCompany) throw new AuthError('email_address_not_authorized')
  requireOrganization(provider, claims, account.domain)
  if (account.isBanned || account.hasLeft) throw new AuthError('user_banned', { status: 403 })
  return account
}

async function requireConnectable(db: Db, answered: Answered, userId: string, now: Date): Promise<Account> {
  const account = await requireAccount(db, answered, userId, now)
  if (account.isConnected) throw new AuthError('identity_already_exists')
  return account
}

/** Google is one issuer for all organizations, and for everybody: only `hd` says who administers the account. */
function requireOrganization({ issuer }: Provider, { hostedDomain }: Claims, domain: string): void {
  if (issuer.replace(/\/$/, '') === GOOGLE && hostedDomain !== domain) {
    throw new AuthError('email_address_not_authorized')
  }
}

const mayClaim = statement(
  'auth.may-claim-address',
  `select ${speaksFor('claimed.domain')} as "isOfCompany", ${isInactiveInDirectory('claimed.email', 'claimed.domain')} as "hasLeft"
  from (values (:email::text, :domain::text)) as claimed (email, domain)`,
)

/** The claimed address. Throws `email_address_not_authorized` if there is none, or if it is of another domain, and `user_banned`. */
async function requireClaimedAddress(db: Db, { provider, claims }: Answered): Promise<string> {
  const { email } = claims
  if (email === null) throw new AuthError('email_address_not_authorized')
  const domain = email.slice(email.lastIndexOf('@') + 1)
  requireOrganization(provider, claims, domain)
  const [claimed] = await db.query<{ isOfCompany: boolean; hasLeft: boolean }>(mayClaim, {
    providerId: provider.id,
    email,
    domain,
  })
  if (!claimed?.isOfCompany) throw new AuthError('email_address_not_authorized')
  if (claimed.hasLeft) throw new AuthError('user_banned', { status: 403 })
  return email
}

/**
 * Whether the person should have authenticated again, but the provider does not show that they did: without `auth_time` it may have
 * answered silently. The code from the mailbox is the proof then.
 */
function needsCodeAsProof({ claims, isAddressProven }: Answered, now: Date): boolean {
  return claims.isAgain && !isAddressProven && !isFresh(authenticatedAt(claims, now), now)
}

/** Asks the person of a known identity for a code from the mailbox of their account. */
async function requestCode(db: Db, answered: Answered, { userId }: Identity, now: Date): Promise<Outcome> {
  const { email } = await requireAccount(db, answered, userId, now)
  // The limit of emails to one recipient is exact only under this lock.
  await lockAddress(db, email)
  return { codeFor: email }
}

const confirm = statement(
  'auth.confirm-identity',
  `update auth.identities set vouched_at = :now, updated_at = :now,
    idp_refresh_token = coalesce(:refreshToken::bytea, idp_refresh_token),
    recheck_at = :now::timestamptz + interval '${RECHECK_HOURS} hours'
  where id = :id and user_id = :userId returning id`,
)

async function openKnown(
  db: Db,
  auth: AuthDeps,
  answered: Answered,
  { id, userId, isRechecked }: Identity,
  call: Call,
): Promise<Outcome> {
  const { now } = call
  return withUserLock(db, userId, async (db) => {
    const refreshToken = sealedToken(auth, answered, id)
    const confirmed = await db.query(confirm, { id, userId, refreshToken, now })
    // The identity was removed concurrently.
    if (confirmed.length === 0) throw new AuthError('email_address_not_authorized')
    return { session: await open(db, auth, answered, userId, call, isRechecked) }
  })
}

function sealedToken({ keys }: AuthDeps, { refreshToken }: Answered, identityId: string): Buffer | null {
  if (refreshToken === null) return null
  return seal(keys.sealKeys[0], Buffer.from(refreshToken), identityContext(identityId))
}

/*
 * Pending sign-ups of the address stay until they expire, but their links no longer work. Deleting them would allow user
 * enumeration.
 */
const create = statement(
  'auth.create-company-account',
  `with person as (
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, created_at, updated_at)
    values (:id, :email, null, :now, jsonb_build_object('provider', :provider::text, 'providers', '[]'::jsonb), :now, :now)
    returning id
  )
  ${auditInsert({ action: "'user_confirmed'", userId: 'id', from: 'person' })}`,
)

/** Creates an account without a password. The provider, or the code from the mailbox, has confirmed the address. */
async function createAccount(
  db: Db,
  auth: AuthDeps,
  { provider, claims }: Answered,
  email: string,
  { caller: { ip, language }, now }: Call,
): Promise<string> {
  const id = randomUUID()
  await db.query(create, { id, email, provider: `sso:${provider.id}`, ip, now })
  await createProfile(db, { userId: id, email, names: claims, language }, await auth.companyPolicy(), now)
  return id
}

const connectStatement = statement(
  'auth.connect-identity',
  `with made as (
    insert into auth.identities (id, user_id, provider, provider_id, identity_data, sso_provider_id, idp_refresh_token,
      vouched_at, recheck_at, created_at, updated_at)
    values (:id, :userId, :provider, :sub, :data, :providerId, :refreshToken, :now,
      :now::timestamptz + interval '${RECHECK_HOURS} hours', :now, :now)
    returning id, user_id
  ), person as (
    update auth.users set updated_at = :now, raw_app_meta_data = jsonb_set(raw_app_meta_data, '{providers}',
      coalesce(raw_app_meta_data->'providers', '[]') - :provider::text || to_jsonb(:provider::text))
    from made where users.id = made.user_id
  ), mailed as (
    ${outboxInsert({
      recipient: 'users.email',
      from: 'made join auth.users on users.id = made.user_id where :isNotified::boolean',
    })}
  )
  ${auditInsert({
    action: "'identity_linked'",
    userId: 'user_id',
    detail: "jsonb_build_object('identity', id)",
    from: 'made',
  })}`,
)

/** Adds the identity to an account. `isNotified`: the owner gets an email about the new way to sign in. */
async function connect(
  db: Db,
  auth: AuthDeps,
  answered: Answered,
  { userId, isNotified }: { userId: string; isNotified: boolean },
  { caller: { ip, language }, now }: Call,
): Promise<void> {
  const { provider, claims } = answered
  const id = randomUUID()
  const values = {
    id,
    userId,
    provider: `sso:${provider.id}`,
    providerId: provider.id,
    sub: claims.sub,
    data: JSON.stringify({ sub: claims.sub, email: claims.email, email_verified: claims.isEmailVerified }),
    refreshToken: sealedToken(auth, answered, id),
    isNotified,
    ip,
    now,
  }
  await db
    .query(connectStatement, { ...values, ...mailParams(companyConnectedMail(), language) })
    .catch((error: unknown) => {
      // Another account, or another identity of this one, was connected concurrently.
      if (violatedConstraint(error) !== null) throw new AuthError('identity_already_exists')
      throw error
    })
}

const readLinking = statement(
  'auth.linking-session',
  `select ${SESSION_COLUMNS}, ${NEEDS_AAL2} as "needsAal2" from auth.sessions
  where sessions.id = :sessionId and ${IS_USABLE} and ${IS_BOUND}`,
)

/** Links the identity to the account of an auth session, which stays as it is. Idempotent. */
async function link(db: Db, auth: AuthDeps, answered: Answered, sessionId: string, call: Call): Promise<Outcome> {
  const { caller, now } = call
  const values = { sessionId, now, binding: bindingOf(caller.browser.cookie) }
  const [session] = await db.query<AuthSession & { needsAal2: boolean }>(readLinking, values)
  if (!session) throw new AuthError('session_not_found')
  const { userId, needsAal2 } = session
  if (needsAal2) throw new AuthError('insufficient_aal', { status: 403 })
  return withUserLock(db, userId, async (db) => {
    const account = await requireAccount(db, answered, userId, now)
    const known = await findIdentity(db, answered)
    if (known?.userId === userId) return { session }
    if (known || account.isConnected) throw new AuthError('identity_already_exists')
    await connect(db, auth, answered, { userId, isNotified: true }, call)
    return { session }
  })
}

/* A directory watches a person if it has an active entry of them and has asked something in the last day. */
const readSources = statement(
  'auth.leaving-sources',
  `select exists (
    select from auth.scim_tokens
    where provider_id = :providerId and last_used_at > :now::timestamptz - interval '${UNCHECKED_HOURS} hours'
  ) and exists (
    select from auth.scim_users where provider_id = :providerId and active
      and (user_id = :userId or (user_id is null and email = :email))
  ) as "hasDirectory"`,
)

/** Opens the auth session of a person whom the provider has just authenticated. */
async function open(
  db: Db,
  auth: AuthDeps,
  answered: Answered,
  userId: string,
  call: Call,
  isRechecked = false,
): Promise<OpenedAuthSession> {
  const { caller, now } = call
  const { provider, claims, refreshToken, isAddressProven } = answered
  const account = await requireAccount(db, answered, userId, now)
  auth.limits.takeSuccessfulSignIn(userId, caller, now)
  const { email } = account
  const [sources] = await db.query<{ hasDirectory: boolean }>(readSources, {
    providerId: provider.id,
    userId,
    email,
    now,
  })
  const isWatched = isRechecked || refreshToken !== null || sources?.hasDirectory
  await rememberNetwork(db, userId, call)
  const session = await openAuthSession(
    db,
    {
      userId,
      passwordHash: account.passwordHash,
      method: 'oauth',
      company: {
        providerId: provider.id,
        sid: claims.sid,
        hasSecondFactor: claims.hasSecondFactor,
        provenAt: isAddressProven ? now : authenticatedAt(claims, now),
        ...(!isWatched && { hours: UNCHECKED_HOURS }),
      },
    },
    call,
  )
  // The row lock of the user, or the new account, excludes any other reason.
  if (!session) throw new AuthError('user_banned', { status: 403 })
  return session
}

/** Returns the time at which the person authenticated, as the provider says. Null if it does not say: it may have answered silently. */
function authenticatedAt({ authTime }: Claims, now: Date): Date | null {
  return authTime === null ? null : new Date(Math.min(authTime * 1000, now.getTime()))
}
