import { type Db, statement } from '../../db/db.ts'
import { isCompanyOnly } from '../company/only-by-company.ts'
import { hashLinkToken } from './link-token.ts'

/** An email link that still works, with its account or address. */
export type Link =
  | { kind: 'signup'; userId: null; email: string; newEmail: null }
  | { kind: 'recovery'; userId: string; email: string; newEmail: null }
  | { kind: 'email_change'; userId: string; email: string; newEmail: string }

/*
 * A recovery link works only while the account still has the address that the link was emailed to, and where accounts sign in by
 * their company only, only if the administrator issued it.
 */
const find = statement(
  'auth.find-link',
  `select 'signup' as kind, null::uuid as "userId", email, null as "newEmail" from auth.pending_signups
  where token_hash = :tokenHash and expires_at > :now and attempts < 10
    and not exists (select from auth.users where users.email = pending_signups.email)
  union all
  select token_type, users.id, users.email, case token_type when 'email_change' then relates_to end
  from auth.one_time_tokens join auth.users on users.id = one_time_tokens.user_id
  where token_hash = :tokenHash and expires_at > :now and (token_type = 'email_change'
    or relates_to = users.email and (by_admin or not ${isCompanyOnly('users.email_domain')}))`,
)

/** Finds an email link by its token without consuming it. Null if it is unknown, used, replaced or expired. */
export async function findLink(db: Db, token: string, now: Date): Promise<Link | null> {
  const [link] = await db.query<Link>(find, { tokenHash: hashLinkToken(token), now })
  return link ?? null
}
