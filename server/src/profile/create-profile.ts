import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import type { Language } from '@deeb/core/languages'
import { comingMonday } from '@deeb/core/stats/weeks'
import { type Db, statement } from '../db/db.ts'
import { type Names, namesOf, withKeys } from './names-of.ts'

const create = statement(
  'account.create-profile',
  `with profile as (
    insert into profiles (id, email, company_domain, first_name, last_name, first_name_key, last_name_key,
      counted_from, language)
    values (:userId, :email, :companyDomain, :firstName, :lastName, :firstNameKey, :lastNameKey, :comingMonday, :language)
    returning id
  )
  insert into user_presence (user_id) select id from profile`,
)

interface NewProfile {
  userId: string
  email: string
  /** The names that the company of the user gives; by default those in the address. */
  names?: Names
  /** Null if it is not known. */
  language: Language | null
}

/**
 * Creates profile and presence of a new user. The company is derived from the confirmed address, and so is the name unless the
 * company gives both names. The report of the company has no week that begins before they could know of it. Call it in the transaction that confirms the address.
 */
export async function createProfile(
  db: Db,
  { userId, email, names, language }: NewProfile,
  policy: CompanyPolicy,
  now: Date,
): Promise<void> {
  const hasNames = names && names.firstName !== null && names.lastName !== null
  const keyed = hasNames ? withKeys(names) : namesOf(email)
  await db.query(create, {
    ...{ userId, email, companyDomain: companyOf(email, policy), ...keyed },
    comingMonday: comingMonday(now),
    language,
  })
}
