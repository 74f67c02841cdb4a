import type { SignInInfo } from '@deeb/core/account/api'
import { PROVING_HASH } from '../auth/company/only-by-company.ts'
import { IS_PROVEN, PROVEN_UNTIL } from '../auth/proof.ts'
import { FACTOR_REQUIRED_FROM } from '../auth/required-factor.ts'
import { type Db, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const read = statement(
  'account.read-sign-in',
  `select ${PROVING_HASH} is not null as "hasPassword", case when ${IS_PROVEN} then ${PROVEN_UNTIL} end as "provenUntil",
    to_char(${FACTOR_REQUIRED_FROM}, 'YYYY-MM-DD') as "requiredFrom",
    case when provider.id is not null then json_build_object(
      'name', provider.name, 'domain', domain, 'only', only_sso, 'connected', exists (
        select from auth.identities where identities.user_id = users.id and identities.sso_provider_id = provider.id)) end
      as company
  from auth.users join auth.sessions on sessions.user_id = users.id
    left join auth.sso_domains on domain = users.email_domain
    left join auth.sso_providers as provider on provider.id = provider_id and provider.disabled_at is null
  where users.id = :userId and sessions.id = :sessionId`,
)

interface Row extends Pick<SignInInfo, 'hasPassword' | 'company'> {
  provenUntil: Date | null
  requiredFrom: string | null
}

/** Reads how the user can sign in. `company` is the identity provider of the domain of their address. */
export async function readSignIn(db: Db, { userId, sessionId }: SignedInActor, now: Date): Promise<SignInInfo> {
  const values = { userId, sessionId, now }
  const [row] = await db.query<Row>(read, values)
  if (!row) throw new Refusal('not_signed_in')
  const { hasPassword, company, provenUntil, requiredFrom } = row
  const secondFactor = requiredFrom === null ? null : { requiredFrom }
  return { hasPassword, company, secondFactor, provenUntil: provenUntil?.toISOString() ?? null }
}
