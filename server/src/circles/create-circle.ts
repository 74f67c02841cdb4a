import { randomUUID } from 'node:crypto'
import type { createCircle as endpoint } from '@deeb/core/circles/api'
import { MAX_CIRCLES } from '@deeb/core/circles/circle'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { circleName, lockOwnCompany, makeInvite } from './circle.ts'

const create = statement(
  'circles.create',
  `with circle as (
    insert into circles (id, company_domain, name, invite, created_at)
    select :circleId, :companyDomain, :name, :invite, :now
    where (select count(*) from circle_members where user_id = :userId) < ${MAX_CIRCLES}
    returning id, company_domain
  )
  insert into circle_members (circle_id, user_id, company_domain, joined_at, visible_from)
  select id, :userId, company_domain, :now, :now from circle returning circle_id`,
)

/**
 * Creates a circle in the company of the actor, who is its first member. Throws `invalid_input` for an invalid name, `not_found`
 * without a company, and `too_many_circles`.
 */
export async function createCircle(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const name = circleName(input.name)
  const made = { circleId: randomUUID(), invite: makeInvite() }
  return db.transaction(async (db) => {
    const companyDomain = await lockOwnCompany(db, actor)
    const rows = await db.query(create, { ...made, companyDomain, userId: actor.userId, name, now })
    if (rows.length === 0) throw new Refusal('too_many_circles')
    return made
  })
}
