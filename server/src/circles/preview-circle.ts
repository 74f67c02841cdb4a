import type { previewCircle as endpoint } from '@deeb/core/circles/api'
import { visibleFrom } from '@deeb/core/circles/circle'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { Person } from '@deeb/core/team/connection'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { deactivatedOf, hiddenWith } from '../presence/who-sees.ts'
import { PERSON } from '../profile/person.ts'
import { BY_NAME } from '../team/read-team.ts'
import { requireInvite } from './circle.ts'

const preview = statement(
  'circles.preview',
  `select name, created_at as "createdAt",
    (select visible_from from circle_members where circle_id = circles.id and user_id = :userId) as "memberFrom",
    (select coalesce(json_agg(json_build_object('id', profiles.id, ${PERSON}) order by ${BY_NAME}), '[]')
      from circle_members join profiles on profiles.id = user_id
      where circle_id = circles.id and user_id <> :userId and user_id not in (${hiddenWith(':userId')})
        and user_id not in (${deactivatedOf('circles.company_domain')})) as people
  from circles
  where invite = :invite and company_domain = (select company_domain from profiles where id = :userId)`,
)

interface PreviewRow {
  name: string
  createdAt: Date
  /** Null for somebody who is no member. */
  memberFrom: Date | null
  people: Person[]
}

/** The circle with this link: who would see the actor, and from when on. Throws `not_found` if their company has no such circle. */
export async function previewCircle(
  db: Db,
  { userId }: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<PreviewRow>(preview, { userId, invite: requireInvite(input.invite) })
  if (!row) throw new Refusal('not_found')
  const { name, createdAt, memberFrom, people } = row
  const from = memberFrom ?? visibleFrom(createdAt, now)
  return { name, people, visibleFrom: from.toISOString(), isMember: memberFrom !== null }
}
