import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { type Db, statement } from '../db/db.ts'
import { namesOf } from './names-of.ts'

/* Takes the row lock of the profile. A concurrent connection request holds it too, so the deletion below sees that request. */
const hold = statement('account.hold-profile', 'select from profiles where id = :userId for update')

/*
 * Two users without a company are not colleagues, so null differs from null here. Declined requests stay, so that the requester
 * cannot ask again after the other user moves away and back.
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
 * Sets the new address of a user, and the company and name derived from it. The old name is not kept, so that users cannot choose a
 * name by their address. Deletes connections across companies, and returns the ids of those other users: publish events to them
 * after the commit. Call it in the transaction that confirms the address.
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
