import { LIMITS } from '../limits/limits-table.ts'

/** SQL: whether user `:userId` may have one more code. */
export const HAS_ROOM = `(select count(*) from cases where user_id = :userId) < ${LIMITS.cases.max}`

/** SQL: whether a row of `cases` is an unclaimed code of the company of user `:userId`. */
export const IS_CLAIMABLE =
  '(user_id is null and company_domain = (select company_domain from profiles where id = :userId))'
