import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { type Db, statement } from '../db/db.ts'
import { type Names, namesOf, withKeys } from './names-of.ts'

const create = statement(
  'account.create-profile',
  `with profile as (
    insert into profiles (id, email, company_domain, first_name, last_name, first_name_key, last_name_key)
    values (:userId, :email, :companyDomain, :firstName, :lastName, :firstNameKey, :lastNameKey) returning id
  )
  insert into user_presence (user_id) select id from profile`,
)

interface NewProfile {
  userId: string
  email: string
  /** The names that the company of the user gives; by default those in the address. */
  names?: Names
}

/**
 * Creates profile and presence of a new user. The company is derived from the confirmed address, and so is the name unless the
 * company gives both names. Call it in the transaction that confirms the address.
 */
export async function createProfile(
  db: Db,
  { userId, email, names }: NewProfile,
  policy: CompanyPolicy,
): Promise<void> {
  const hasNames = names && names.firstName !== null && names.lastName !== null
  const keyed = hasNames ? withKeys(names) : namesOf(email)
  await db.query(create, { userId, email, companyDomain: companyOf(email, policy), ...keyed })
}
