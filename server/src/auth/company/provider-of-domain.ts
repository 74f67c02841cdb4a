import { type Db, lookup } from '../../db/db.ts'

/** The identity provider of an email domain. */
export interface DomainProvider {
  id: string
  /** Part of the callback address. */
  key: string
  /** Shown on the sign-in page. */
  name: string
  /** Whether accounts of this domain may sign in by the provider only. */
  onlySso: boolean
}

const find = lookup(
  'auth.provider-of-domain',
  `select sso_providers.id, key, name, only_sso as "onlySso"
  from auth.sso_domains join auth.sso_providers on sso_providers.id = provider_id
  where domain = :domain and disabled_at is null`,
)

/** The enabled identity provider that speaks for an email domain (lower case); null if there is none. */
export async function providerOfDomain(db: Db, domain: string): Promise<DomainProvider | null> {
  const [provider] = await db.query<DomainProvider>(find, { domain })
  return provider ?? null
}
