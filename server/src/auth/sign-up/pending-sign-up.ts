import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { isSecret, SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import { type Db, statement } from '../../db/db.ts'
import { callerNetwork } from '../../limits/ip-network.ts'
import { DROPPED_MAIL, eitherMailParams } from '../../mail/mail-budgets.ts'
import { alreadyMail, confirmMail } from '../../mail/messages.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Caller } from '../http/caller.ts'
import { makeLinkToken } from '../links/link-token.ts'
import type { UserMetadata } from '../user/user-metadata.ts'

/**
 * SQL: selects one pending sign-up of an address: the caller network's own, else the newest. Anyone can sign up with any
 * address, so the newest may be a stranger's.
 */
export const OWN_NETWORK_FIRST =
  'order by caller_network is not distinct from :network desc, created_at desc, id limit 1'

/** SQL: the audit event of a sign-up or a resend. `known` is a CTE with the account of the address, if there is one. */
export function logSignUp({ id, detail = DROPPED_MAIL }: { id: string; detail?: string }): string {
  return auditInsert({
    action: "case when exists (select from known) then 'signup_repeated' else 'signup_requested' end",
    userId: `coalesce((select id from known), ${id})`,
    detail,
  })
}

const findInvite = statement(
  'auth.sign-up-invite',
  'select invite from circles where invite = :invite and company_domain = :companyDomain',
)

/**
 * The secret of a circle's link in the metadata of a sign-up, for the confirmation link. Null unless the company of the address has
 * that circle: a requester must not put other text into an email.
 */
async function readInvite(
  db: Db,
  email: string,
  metadata: UserMetadata,
  policy: CompanyPolicy,
): Promise<string | null> {
  const text = metadata[SIGN_UP_DATA.join]
  const invite = isSecret(text) ? text : null
  const [circle] = await db.query<{ invite: string }>(findInvite, { invite, companyDomain: companyOf(email, policy) })
  return circle?.invite ?? null
}

/** A sign-up or a resend. */
interface Request {
  email: string
  /** The metadata of the sign-up. */
  metadata: UserMetadata
  caller: Caller
  now: Date
}

/** The parameters of a sign-up and of a resend: caller, new link, and the email for an address with or without an account. */
export async function signUpParams(
  db: Db,
  { config: { publicUrl }, companyPolicy }: Pick<AuthDeps, 'config' | 'companyPolicy'>,
  { email, metadata, caller: { ip, language }, now }: Request,
) {
  const { token, tokenHash } = makeLinkToken()
  const network = callerNetwork(ip)
  const invite = await readInvite(db, email, metadata, await companyPolicy())
  const emails = { unknown: confirmMail(publicUrl, token, invite), known: alreadyMail(publicUrl) }
  return { email, now, ip, network, askedBy: network, tokenHash, ...eitherMailParams(emails, language) }
}
