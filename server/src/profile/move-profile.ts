import { type CompanyPolicy, companyOf } from '@deeb/core/account/company'
import { comingMonday } from '@deeb/core/stats/weeks'
import { type Db, statement } from '../db/db.ts'
import { lockWithCircles } from './lock-circles.ts'
import { namesOf } from './names-of.ts'
import { endOutsideAccess } from './outside-access.ts'

/* A concurrent answer holds the row lock of the request, so `move` sees that answer. In one order, against deadlocks. */
const lockTeam = statement(
  'account.lock-team',
  'select from team_connections where :userId in (requester_id, receiver_id) order by id for update',
)

const isLeaving = statement(
  'account.is-leaving',
  'select from profiles where id = :userId and company_domain is distinct from :companyDomain',
)

/** SQL: the row of team_connections is between `moved` and a user `other` of another company. Without one, nobody is a colleague. */
const IS_OF_OTHER_COMPANY = `moved.id in (requester_id, receiver_id) and other.id in (requester_id, receiver_id) and other.id <> moved.id
  and coalesce(other.company_domain <> :companyDomain::text, true)`

/*
 * Declined requests stay, so that the requester cannot ask again after one of the two moves away and back. To the requester they
 * look deleted like pending ones.
 */
const move = statement(
  'account.move-profile',
  `with moved as (
    update profiles set email = :email, company_domain = :companyDomain,
      counted_from = case when company_domain is distinct from :companyDomain::text then :comingMonday::text else counted_from end,
      first_name = :firstName, last_name = :lastName, first_name_key = :firstNameKey, last_name_key = :lastNameKey
    where id = :userId returning id
  ), hidden as (
    update team_connections set taken_back = true from moved, profiles as other
    where ${IS_OF_OTHER_COMPANY} and status = 'declined' and not taken_back returning other.id
  ), gone as (
    delete from team_connections using moved, profiles as other
    where ${IS_OF_OTHER_COMPANY} and status <> 'declined' returning other.id
  ), circles_left as (
    delete from circle_members where user_id = :userId and company_domain is distinct from :companyDomain::text
    returning circle_id
  )
  select id as "otherId" from hidden union select id from gone
  union select user_id from circle_members join circles_left using (circle_id) where user_id <> :userId`,
)

/**
 * Sets the new address of a user, and the company and name derived from it. The old name is not kept, so that users cannot choose a
 * name by their address. Deletes connections and circles across companies, and returns the ids of those other users: publish events to
 * them after the commit. Who leaves a company also leaves its programs: their access ends, see endOutsideAccess(). The report of another
 * company has only later weeks of the user, so that none is counted twice. Call it in the transaction that confirms the address.
 */
export async function moveProfile(
  db: Db,
  { userId, email }: { userId: string; email: string },
  policy: CompanyPolicy,
  now: Date,
): Promise<{ disconnected: string[]; revoked: string[] }> {
  // A concurrent connection request holds the lock of the profile too, so `move` sees that request.
  await lockWithCircles(db, userId)
  await db.query(lockTeam, { userId })
  const companyDomain = companyOf(email, policy)
  const isLeft = (await db.query(isLeaving, { userId, companyDomain })).length > 0
  const revoked = isLeft ? await endOutsideAccess(db, userId) : []
  const gone = await db.query<{ otherId: string }>(move, {
    ...{ userId, email, companyDomain, ...namesOf(email) },
    comingMonday: comingMonday(now),
  })
  return { disconnected: gone.map(({ otherId }) => otherId), revoked }
}
