import type { joinCircle as endpoint } from '@deeb/core/circles/api'
import { MAX_CIRCLES, visibleFrom } from '@deeb/core/circles/circle'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { deactivatedOf } from '../presence/who-sees.ts'
import { type Changed, lockOwnCompany, readMembers, requireInvite } from './circle.ts'

const lockByInvite = statement(
  'circles.lock-by-invite',
  `select id as "circleId", created_at as "createdAt" from circles
  where invite = :invite and company_domain = :companyDomain for no key update`,
)

const join = statement(
  'circles.join',
  `with counted as (
    select (select count(*) from circle_members where circle_id = :circleId
        and user_id not in (${deactivatedOf(':companyDomain')})) < :circleSize as "hasRoom",
      (select count(*) from circle_members where user_id = :userId) < ${MAX_CIRCLES} as "hasFew"
  ), added as (
    insert into circle_members (circle_id, user_id, company_domain, joined_at, visible_from)
    select :circleId, :userId, :companyDomain, :now, :visibleFrom from counted where "hasRoom" and "hasFew"
    on conflict do nothing
    returning visible_from
  )
  select "hasRoom", "hasFew", added.visible_from as "addedFrom", member.visible_from as "memberFrom"
  from counted left join added on true
    left join circle_members as member on member.circle_id = :circleId and member.user_id = :userId`,
)

interface JoinRow {
  hasRoom: boolean
  hasFew: boolean
  /** If the actor has joined now. */
  addedFrom: Date | null
  /** If the actor was a member before. */
  memberFrom: Date | null
}

/**
 * Adds the actor to the circle with this link. Idempotent. Throws `not_found` if the company of the actor has no such circle,
 * `circle_full` and `too_many_circles`. `members` is empty if the actor was a member before.
 *
 * Locks the profile and the circle. A count after a wait needs the new snapshot of the next statement.
 */
export async function joinCircle(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  circleSize: number,
  now: Date,
): Promise<OutputOf<typeof endpoint> & Changed> {
  const invite = requireInvite(input.invite)
  return db.transaction(async (db) => {
    const companyDomain = await lockOwnCompany(db, actor)
    const [circle] = await db.query<{ circleId: string; createdAt: Date }>(lockByInvite, { invite, companyDomain })
    if (!circle) throw new Refusal('not_found')
    const { circleId, createdAt } = circle
    const [row] = await db.query<JoinRow>(join, {
      ...{ circleId, companyDomain, circleSize, now, userId: actor.userId },
      visibleFrom: visibleFrom(createdAt, now),
    })
    const from = row?.memberFrom ?? row?.addedFrom
    if (!from) throw new Refusal(row?.hasRoom ? 'too_many_circles' : 'circle_full')
    const members = row?.addedFrom ? await readMembers(db, circleId) : []
    return { circleId, visibleFrom: from.toISOString(), members }
  })
}
