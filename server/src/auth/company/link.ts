import type * as v from 'valibot'
import { type Db, statement } from '../../db/db.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import { IS_PROVEN, requireRights } from '../proof.ts'
import { type Begun, begin, type CompanyLinkInput, type Place } from './begin.ts'
import type { CompanyDeps } from './company-deps.ts'
import { findProvider, isKey, type Provider } from './provider.ts'
import { providerOfDomain } from './provider-of-domain.ts'

const read = statement(
  'auth.linking-owner',
  `select ${NEEDS_AAL2} as "needsAal2", ${IS_PROVEN} as "isProven", exists (
      select from auth.sso_domains where domain = users.email_domain and provider_id = :providerId) as "isOfCompany"
  from auth.sessions join auth.users on users.id = sessions.user_id
  where ${IS_PRINCIPALS} and not ${IS_BANNED}`,
)

/**
 * Begins to connect the account of the principal with their company account, and returns the address at the provider. Throws
 * `sso_provider_not_found`, `session_not_found`, `insufficient_aal`, `reauthentication_needed`, `email_address_not_authorized` for
 * the provider of another company, and `unexpected_failure` (503) if the provider does not answer.
 */
export async function beginLink(
  auth: CompanyDeps,
  { sessionId, userId, binding }: Principal,
  input: v.InferOutput<typeof CompanyLinkInput>,
  place: Place,
  now: Date,
): Promise<Begun> {
  const provider = await named(auth.db, input.provider.replace(/^custom:/, ''))
  if (!provider) throw new AuthError('sso_provider_not_found')
  const values = { sessionId, userId, binding, now, providerId: provider.id }
  const [owner] = await auth.db.query<{ needsAal2: boolean; isProven: boolean; isOfCompany: boolean }>(read, values)
  if (!owner) throw new AuthError('session_not_found')
  requireRights(owner)
  if (!owner.isOfCompany) throw new AuthError('email_address_not_authorized')
  return begin(auth, provider, input, { place, linkingSessionId: sessionId }, now)
}

/** The provider of a domain, else that with this key: a client knows the domain of its user only. */
async function named(db: Db, name: string): Promise<Provider | null> {
  const ofDomain = isKey(name) ? await providerOfDomain(db, name) : null
  return findProvider(db, ofDomain ? { id: ofDomain.id } : { key: name })
}
