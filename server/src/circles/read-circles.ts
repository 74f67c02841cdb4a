import type { Circle, readCircles as endpoint } from '@deeb/core/circles/api'
import type { OutputOf } from '@deeb/core/endpoint'
import type { Person } from '@deeb/core/team/connection'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { signLink } from '../invitations/signature.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { deactivatedOf, hiddenWith } from '../presence/who-sees.ts'
import { PERSON } from '../profile/person.ts'
import { QUIET_OF_OWN, type QuietRow, quietOf } from '../quiet/quiet-times.ts'
import { BY_NAME } from '../team/read-team.ts'
import { BY_CIRCLE_NAME, keeperOf } from './circle.ts'

/* People of another company are not shown: somebody who was hidden may have moved there. */
const read = statement(
  'circles.read',
  `with me as (
    select id, company_domain from profiles where id = :userId
  ), deactivated as materialized (
    ${deactivatedOf('(select company_domain from me)')}
  ), hidden as materialized (
    ${hiddenWith(':userId')}
  )
  select (select coalesce(json_agg(json_build_object('id', circles.id, 'name', name, 'invite', invite,
        'isKeeper', ${keeperOf('circles.id')} = me.id, 'visibleFrom', own.visible_from, ${QUIET_OF_OWN},
        'people', (select coalesce(json_agg(json_build_object('person', json_build_object('id', profiles.id, ${PERSON}),
            'joinedAt', joined_at, 'visibleFrom', greatest(own.visible_from, other.visible_from)) order by ${BY_NAME}), '[]')
          from circle_members as other join profiles on profiles.id = user_id
          where circle_id = circles.id and user_id <> me.id
            and user_id not in (select hidden_from from hidden) and user_id not in (select id from deactivated)))
        order by ${BY_CIRCLE_NAME}), '[]')
      from circle_members as own join circles on circles.id = circle_id where own.user_id = me.id) as circles,
    (select coalesce(json_agg(json_build_object('id', profiles.id, ${PERSON}) order by ${BY_NAME}), '[]')
      from hidden_people join profiles on profiles.id = hidden_from
      where user_id = me.id and profiles.company_domain = me.company_domain
        and hidden_from not in (select id from deactivated)) as hidden,
    company_domain as domain
  from me`,
)

interface CirclesRow {
  circles: (Omit<Circle, 'signature' | 'quiet'> & { quiet: QuietRow })[]
  hidden: Person[]
  domain: string | null
}

const iso = (instant: string) => new Date(instant).toISOString()

/** The circles of the actor with their members, and the colleagues whom the actor hides. */
export async function readCircles(
  db: Db,
  keys: Pick<Keys, 'invitationKeys'>,
  { userId }: Actor,
  circleSize: number,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<CirclesRow>(read, { userId, now })
  if (!row) throw new Refusal('not_signed_in')
  const circles = row.circles.map((circle) => ({
    ...circle,
    signature: signLink(keys, { userId, domain: row.domain ?? '', circle: circle.invite }, now),
    visibleFrom: iso(circle.visibleFrom),
    quiet: quietOf(circle.quiet),
    people: circle.people.map(({ person, joinedAt, visibleFrom }) => {
      return { person, joinedAt: iso(joinedAt), visibleFrom: iso(visibleFrom) }
    }),
  }))
  return { circles, hidden: row.hidden, circleSize }
}
