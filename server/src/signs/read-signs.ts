import type { OutputOf } from '@deeb/core/endpoint'
import type { readSigns as endpoint, OwnSign, SignCircle } from '@deeb/core/signs/api'
import { BY_CIRCLE_NAME, keeperOf } from '../circles/circle.ts'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const COLUMNS = `'id', signs.id, 'label', label, 'createdAt', signs.created_at, 'lastSeenAt', last_seen_at`

const read = statement(
  'signs.read',
  `select
    (select coalesce(json_agg(json_build_object(${COLUMNS}, 'showsName', shows_name, 'showsUntil', shows_until)
        order by signs.created_at desc, signs.id), '[]')
      from signs where user_id = profiles.id and circle_id is null) as signs,
    (select coalesce(json_agg(json_build_object('circleId', circles.id, 'name', name,
        'isKeeper', ${keeperOf('circles.id')} = profiles.id,
        'sign', case when signs.id is not null then json_build_object(${COLUMNS},
          'agreed', (select count(*) from sign_agreements where sign_id = signs.id),
          'mine', coalesce((select case when sign_agreements.shows_name then 'name' else 'dot' end
            from sign_agreements where sign_id = signs.id and user_id = profiles.id), 'nothing')) end)
        order by ${BY_CIRCLE_NAME}), '[]')
      from circle_members as own join circles on circles.id = own.circle_id left join signs on signs.circle_id = circles.id
      where own.user_id = profiles.id and :circleSize::int > 0) as circles
  from profiles where id = :userId`,
)

const iso = (instant: string | null) => instant && new Date(instant).toISOString()

/** As the API has them: the database writes an instant in another form. */
function withInstants<Sign extends { createdAt: string; lastSeenAt: string | null }>(sign: Sign): Sign {
  return { ...sign, createdAt: iso(sign.createdAt), lastSeenAt: iso(sign.lastSeenAt) }
}

/** The signs of the actor, and the circles of the actor with their signs. */
export async function readSigns(db: Db, { userId }: Actor, circleSize: number): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<{ signs: OwnSign[]; circles: SignCircle[] }>(read, { userId, circleSize })
  if (!row) throw new Refusal('not_signed_in')
  const circles = row.circles.map(({ sign, ...circle }) => ({ ...circle, sign: sign && withInstants(sign) }))
  return { signs: row.signs.map(withInstants), circles }
}
