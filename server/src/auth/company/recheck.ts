import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import { IS_USABLE } from '../auth-session/auth-session.ts'
import { seal, tryUnseal } from '../factors/seal.ts'
import { withUserLock } from '../user/user-lock.ts'
import type { CompanyDeps } from './company-deps.ts'
import { identityContext, RECHECK_HOURS } from './identity.ts'
import { findProvider } from './provider.ts'
import { limitUnwatchedSessions, PATIENCE_DAYS } from './unwatched.ts'

const BATCH = 50

/*
 * Claims a batch for one hour. Another process skips these rows: many providers accept a refresh token once, and would take a second
 * use for a theft.
 */
const claim = statement(
  'auth.claim-rechecks',
  `with due as (
    select identities.id from auth.identities join auth.sso_providers on sso_providers.id = sso_provider_id
    where recheck_at <= :now and idp_refresh_token is not null and disabled_at is null and exists (
      select from auth.sessions where sessions.user_id = identities.user_id
        and sessions.sso_provider_id = identities.sso_provider_id and ${IS_USABLE})
    order by recheck_at limit ${BATCH}
    for update of identities skip locked
  )
  update auth.identities set recheck_at = :now::timestamptz + interval '1 hour' from due where identities.id = due.id
  returning identities.id, user_id as "userId", sso_provider_id as "providerId", identities.provider_id as sub,
    idp_refresh_token as sealed, vouched_at < :now::timestamptz - interval '${PATIENCE_DAYS} days' as "isOverdue"`,
)

interface Claimed {
  id: string
  userId: string
  providerId: string
  sub: string
  sealed: Buffer
  /** Whether the provider has not answered for seven days. */
  isOverdue: boolean
}

const renew = statement(
  'auth.renew-idp-token',
  `update auth.identities set idp_refresh_token = :renewed, vouched_at = :now, updated_at = :now,
    recheck_at = :now::timestamptz + interval '${RECHECK_HOURS} hours'
  where id = :id and idp_refresh_token = :sealed`,
)

/* A newer refresh token means that the person has signed in since then, so the provider knows them. */
const end = statement(
  'auth.end-unconfirmed-sessions',
  `with refused as (
    update auth.identities set idp_refresh_token = null, recheck_at = null, updated_at = :now
    where id = :id and idp_refresh_token = :sealed returning user_id, sso_provider_id
  ), ended as (
    delete from auth.sessions using refused
    where sessions.user_id = refused.user_id and sessions.sso_provider_id = refused.sso_provider_id
    returning sessions.id
  ), logged as (
    ${auditInsert({
      action: "'logout'",
      userId: 'user_id',
      ip: 'null',
      detail: `'{"scope": "company"}'`,
      from: 'refused where exists (select from ended)',
    })}
  )
  select id::text from ended`,
)

/**
 * Asks the identity providers about everybody who has a company session and was not asked about for 20 hours. Ends the company
 * sessions of those whom the provider no longer knows, or about whom it has not answered for seven days. Until then an outage of the
 * provider changes nothing. A company session that nothing watches any more ends within 24 hours. Throws between two batches when
 * `signal` is aborted.
 */
export async function recheckIdentities(auth: CompanyDeps, now: Date, signal?: AbortSignal): Promise<void> {
  await limitUnwatchedSessions(auth.db, now)
  let claimed: Claimed[]
  do {
    signal?.throwIfAborted()
    claimed = await auth.db.query<Claimed>(claim, { now })
    await Promise.all(
      claimed.map((identity) =>
        recheck(auth, identity, now).catch((error) => auth.logError(error, 'asking an identity provider')),
      ),
    )
  } while (claimed.length === BATCH)
}

async function recheck(auth: CompanyDeps, identity: Claimed, now: Date): Promise<void> {
  const answer = await askAbout(auth, identity)
  if (answer === 'left' || (answer === null && identity.isOverdue)) return endSessions(auth, identity, now)
  if (answer === null) return
  const { id, sealed } = identity
  const renewed = seal(auth.keys.sealKeys[0], Buffer.from(answer.refreshToken), identityContext(id))
  await auth.db.query(renew, { id, sealed, renewed, now })
}

/** Asks the provider about a person. Returns their next refresh token, that they left, or null for no answer. */
async function askAbout(auth: CompanyDeps, identity: Claimed): Promise<{ refreshToken: string } | 'left' | null> {
  const { id, providerId, sub, sealed } = identity
  const token = tryUnseal(auth.keys.sealKeys, sealed, identityContext(id))?.toString()
  const provider = await findProvider(auth.db, { id: providerId })
  const client = provider && (await auth.oidc.of(provider).catch(() => null))
  // Without the server secret that encrypted it, the token is lost.
  if (!client || token === undefined) return null
  try {
    const tokens = await client.library.refreshTokenGrant(client.config, token)
    const subject = tokens.claims()?.sub
    if (subject !== undefined && subject !== sub) return 'left'
    return { refreshToken: tokens.refresh_token ?? token }
  } catch (error) {
    const isRefused = error instanceof client.library.ResponseBodyError && error.error === 'invalid_grant'
    if (!isRefused) auth.logError(error, `the identity provider of ${provider?.key} does not answer about a person`)
    return isRefused ? 'left' : null
  }
}

async function endSessions(auth: CompanyDeps, { id, userId, sealed }: Claimed, now: Date): Promise<void> {
  const ended = await withUserLock(auth.db, userId, (db: Db) => db.query<{ id: string }>(end, { id, sealed, now }))
  for (const session of ended) auth.sessionAlive.invalidate(session.id)
}
