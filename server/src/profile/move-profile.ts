import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { type Db, statement } from '../db/db.ts'
import { namesOf } from './names-of.ts'

/* A request that is being made holds the profile: only what begins after it is seen by the deletion below. */
const hold = statement('account.hold-profile', 'select from profiles where id = :userId for update')

/*
 * Two people without a company are no colleagues either, so null differs from null here. Declined requests stay, or moving
 * away and back would let the requester ask again.
 */
const move = statement(
  'account.move-profile',
  `with moved as (
    update profiles set email = :email, company_domain = :companyDomain,
      first_name = :firstName, last_name = :lastName, first_name_key = :firstNameKey, last_name_key = :lastNameKey
    where id = :userId returning id
  )
  delete from team_connections using moved, profiles as other
  where moved.id in (requester_id, receiver_id) and other.id in (requester_id, receiver_id) and other.id <> moved.id
    and coalesce(other.company_domain <> :companyDomain::text, true) and status <> 'declined'
  returning other.id as "otherId"`,
)

/**
 * Gives a person the new address, with the company and the name that it tells, or none. A name from an earlier address would
 * be one of the person's choice. Connections to people who are no colleagues any more are deleted. Returns who those people
 * are, to be notified after the commit. Call it in the transaction that confirms the address.
 */
export async function moveProfile(
  db: Db,
  { userId, email }: { userId: string; email: string },
  policy: CompanyPolicy,
): Promise<string[]> {
  await db.query(hold, { userId })
  const gone = await db.query<{ otherId: string }>(move, {
    userId,
    email,
    companyDomain: companyOf(email, policy),
    ...namesOf(email),
  })
  return gone.map(({ otherId }) => otherId)
}
