import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { type Db, statement } from '../db/db.ts'
import { namesOf } from './names-of.ts'

/* A request that is being made holds the profile: only what begins after it is seen by the deletion below. */
const hold = statement('account.hold-profile', 'select from profiles where id = $1 for update')

/*
 * Two people without a company are no colleagues either, so null differs from null here. Declined requests stay, or moving
 * away and back would let the requester ask again.
 */
const move = statement(
  'account.move-profile',
  `with moved as (
    update profiles set email = $2, company_domain = $3,
      first_name = coalesce($4, first_name), last_name = coalesce($5, last_name),
      first_name_key = coalesce($6, first_name_key), last_name_key = coalesce($7, last_name_key)
    where id = $1 returning id
  )
  delete from team_connections using moved, profiles as other
  where moved.id in (requester_id, receiver_id) and other.id in (requester_id, receiver_id) and other.id <> moved.id
    and coalesce(other.company_domain <> $3::text, true) and status <> 'declined'
  returning other.id as "otherId"`,
)

/**
 * Takes over the new address of a person, with the company that it tells, and the name if it tells one; connections to
 * whom is no colleague any more are gone, and with whom they were is returned, to be told after the commit. Belongs into
 * the transaction that confirms the address.
 */
export async function moveProfile(
  db: Db,
  { userId, email }: { userId: string; email: string },
  policy: CompanyPolicy,
): Promise<string[]> {
  await db.query(hold, [userId])
  const gone = await db.query<{ otherId: string }>(move, [userId, email, companyOf(email, policy), ...namesOf(email)])
  return gone.map(({ otherId }) => otherId)
}
