import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { type Db, statement } from '../db/db.ts'
import { namesOf } from './names-of.ts'

const create = statement(
  'account.create-profile',
  `with profile as (
    insert into profiles (id, email, company_domain, first_name, last_name, first_name_key, last_name_key)
    values (:userId, :email, :companyDomain, :firstName, :lastName, :firstNameKey, :lastNameKey) returning id
  )
  insert into user_presence (user_id) select id from profile`,
)

/**
 * Creates profile and presence of a new user. Company and name are derived from the confirmed address. Call it in the transaction
 * that confirms the address.
 */
export async function createProfile(
  db: Db,
  { userId, email }: { userId: string; email: string },
  policy: CompanyPolicy,
): Promise<void> {
  await db.query(create, { userId, email, companyDomain: companyOf(email, policy), ...namesOf(email) })
}
