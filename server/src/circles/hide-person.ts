import type { hidePerson as endpoint } from '@deeb/core/circles/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { inCirclesOf } from '../presence/who-sees.ts'
import type { Changed } from './circle.ts'

const hide = statement(
  'circles.hide',
  `with colleague as (
    select other.id from profiles as me join profiles as other on other.company_domain = me.company_domain
    where me.id = :userId and other.id = :otherId and other.id <> me.id
  ), added as (
    insert into hidden_people (user_id, hidden_from, created_at)
    select :userId, id, :now from colleague where :isHidden::boolean
    on conflict do nothing
    returning hidden_from
  ), gone as (
    delete from hidden_people using colleague
    where not :isHidden::boolean and user_id = :userId and hidden_from = colleague.id returning hidden_from
  )
  select exists (select from added union all select from gone) as "isChanged", id in (${inCirclesOf(':userId')}) as "sharesCircle"
  from colleague`,
)

/**
 * Hides the actor and a colleague from each other in all circles, or takes that back. Idempotent. Throws `not_found` for anybody else.
 * `members` is empty if it was so before, and has the colleague only if the two share a circle: nothing changes for anybody else.
 */
export async function hidePerson(
  db: Db,
  actor: Actor,
  { userId, isHidden }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint> & Changed> {
  const values = { userId: actor.userId, otherId: userId, isHidden, now }
  const [row] = await db.query<{ isChanged: boolean; sharesCircle: boolean }>(hide, values)
  if (!row) throw new Refusal('not_found')
  const members = row.sharesCircle ? [actor.userId, userId] : [actor.userId]
  return { isHidden, members: row.isChanged ? members : [] }
}
