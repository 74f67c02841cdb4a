import { randomUUID } from 'node:crypto'
import { type Db, statement } from '../../db/db.ts'
import { auditInsert } from '../audit-insert.ts'
import { bindingOf, makeCookie } from '../http/browser-cookie.ts'
import type { Call } from '../http/caller.ts'

/** An auth session: one sign-in of one browser or device. Its tokens are made from these fields. */
export interface AuthSession {
  id: string
  userId: string
  aal: string
  /** Authentication methods: `[{ method, timestamp }]`, with the timestamp in seconds. */
  amr: unknown
  refreshCounter: number
}

/** A new auth session. */
export interface OpenedAuthSession extends AuthSession {
  /** The cookie for the browser to which the auth session is bound; null if it is not bound. */
  cookie: string | null
}

export const SESSION_COLUMNS = `sessions.id, sessions.user_id as "userId", sessions.aal, sessions.amr,
  sessions.refresh_counter as "refreshCounter"`

/** SQL: a row of auth.sessions has not expired at `:now`. It expires after 90 days, or after 30 days without a refresh. */
export const IS_USABLE = `(sessions.not_after > :now::timestamptz
    and sessions.refreshed_at > :now::timestamptz - interval '30 days')`

/** SQL: a row of auth.users is blocked at `:now` by the administrator, or its company has deactivated it. */
export const USER_IS_BANNED =
  '(users.deactivated_at is not null or coalesce(users.banned_until > :now::timestamptz, false))'

/** SQL: the owner of a row of auth.sessions is blocked or deactivated at `:now`. */
export const IS_BANNED = `exists (select from auth.users where users.id = sessions.user_id and ${USER_IS_BANNED})`

/** SQL: a row of auth.sessions may be used with the cookie of `:binding`. */
export const IS_BOUND = '(sessions.binding is null or sessions.binding is not distinct from :binding::bytea)'

/** SQL: the browser of a row of auth.sessions. Rows with the same cookie are one browser; a row without one is on its own. */
export const BROWSER = '(coalesce(sessions.binding, uuid_send(sessions.id)))'

/**
 * SQL: a row of auth.sessions is that of the principal (`:sessionId`, `:userId`, `:binding`) and alive at `:now`. Every statement
 * that acts for a principal has this condition.
 */
export const IS_PRINCIPALS = `(sessions.id = :sessionId and sessions.user_id = :userId and ${IS_USABLE} and ${IS_BOUND})`

/** SQL: a row of auth.sessions is `aal1`, and its user has a verified second factor. */
export const NEEDS_AAL2 = `(sessions.aal = 'aal1' and exists (
  select from auth.mfa_factors where mfa_factors.user_id = sessions.user_id and mfa_factors.status = 'verified'))`

/*
 * Reuses the cookie of the browser while another auth session of the same user is bound to it, so that concurrent sign-ins in
 * several tabs do not invalidate each other. Another user gets a new cookie, which prevents session fixation: the previous user
 * of the browser may know the old one.
 *
 * The row lock of the domain serializes a sign-in with the command that closes the domain, which ends the other auth sessions.
 */
const open = statement(
  'auth.open-session',
  `with domain as (
    select only_sso and disabled_at is null and provider.id is distinct from :companyId::uuid as is_company_only
    from auth.sso_domains join auth.sso_providers as provider on provider.id = provider_id
    where domain = (select email_domain from auth.users where id = :userId) for share of sso_domains
  ), person as (
    update auth.users set last_sign_in_at = :now
    where id = :userId and encrypted_password is not distinct from :passwordHash::text and not ${USER_IS_BANNED}
      and (:opensCompanyOnly or not exists (select from domain where is_company_only))
    returning id
  ), identity as (
    update auth.identities set last_sign_in_at = :now where user_id = (select id from person) and provider = :provider
  ), logged as (
    ${auditInsert({
      action: "'login'",
      userId: 'id',
      detail: "jsonb_build_object('method', :method::text)",
      from: 'person',
    })}
  )
  insert into auth.sessions
    (id, user_id, aal, amr, factor_id, created_at, refreshed_at, proven_at, not_after, user_agent, ip, sso_provider_id,
      sso_sid, binding)
  select :id, id, :aal, :amr, :passkeyId::uuid, :now, :now, :provenAt, :notAfter, :userAgent, :ip, :companyId::uuid, :sid,
    case when exists (
      select from auth.sessions where user_id = :userId and binding = :heldBinding::bytea and ${IS_USABLE}
    ) then :heldBinding::bytea else :freshBinding::bytea end
  from person
  returning ${SESSION_COLUMNS}, binding is not distinct from :heldBinding::bytea as "keepsCookie"`,
)

/** The level that a sign-in by each method reaches, and the identity that it used. */
const METHODS = {
  password: { aal: 'aal1', provider: 'email' },
  recovery: { aal: 'aal1', provider: 'email' },
  email_change: { aal: 'aal1', provider: 'email' },
  passkey: { aal: 'aal2', provider: null },
  oauth: { aal: 'aal1', provider: null },
} as const

/** The claims of a company's identity provider about a sign-in by it. */
export interface CompanySignIn {
  providerId: string
  /** The provider's own id of the sign-in; null if it gives none. */
  sid: string | null
  /** Whether the person used a second factor there: then the auth session is `aal2`. */
  hasSecondFactor: boolean
  /** The time at which the person authenticated there; null if that is unknown. */
  provenAt: Date | null
  /** How long the auth session lives; by default as long as any other. */
  hours?: number
}

export interface Proof {
  userId: string
  /** The password hash of the account when the proof was checked; null for an account without a password. */
  passwordHash: string | null
  /** How the user authenticated; `password` by default. */
  method?: keyof typeof METHODS
  /** The passkey, for this method. */
  passkeyId?: string
  /** For the method `oauth`, and for an auth session that continues one of it. */
  company?: CompanySignIn | undefined
  /** Also signs in where accounts sign in by their company only, and that is not `company`. */
  opensCompanyOnly?: boolean
}

/** An auth session lives this long, unless its company says otherwise. */
export const DEFAULT_HOURS = 90 * 24

/**
 * Opens an auth session for a user who has just shown the password of `passwordHash`, an email link or a passkey, or whom the identity
 * provider of their company has authenticated. Null if the account was deleted, blocked, deactivated or got another password since the proof was checked, or signs in
 * by its company only.
 */
export async function openAuthSession(
  db: Db,
  { userId, passwordHash, method = 'password', passkeyId, company, opensCompanyOnly = false }: Proof,
  { caller: { browser, ip, userAgent }, now }: Call,
): Promise<OpenedAuthSession | null> {
  const amr = JSON.stringify([{ method, timestamp: Math.floor(now.getTime() / 1000) }])
  const held = browser.isOnOurPages ? browser.cookie : null
  const fresh = browser.isOnOurPages ? makeCookie() : null
  const values = {
    id: randomUUID(),
    userId,
    now,
    passwordHash,
    ...METHODS[method],
    ...(company && { provider: `sso:${company.providerId}` }),
    ...(company?.hasSecondFactor && { aal: 'aal2' }),
    provenAt: company ? company.provenAt : now,
    notAfter: new Date(now.getTime() + (company?.hours ?? DEFAULT_HOURS) * 3_600_000),
    companyId: company?.providerId ?? null,
    sid: company?.sid ?? null,
    opensCompanyOnly,
    amr,
    passkeyId: passkeyId ?? null,
    userAgent,
    ip,
    heldBinding: bindingOf(held),
    freshBinding: bindingOf(fresh),
    method,
  }
  const [session] = await db.query<AuthSession & { keepsCookie: boolean }>(open, values)
  return session ? { ...session, cookie: session.keepsCookie ? held : fresh } : null
}
