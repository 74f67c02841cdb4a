import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { agreeToSign as endpoint } from '@deeb/core/signs/api'
import { type Db, statement, violatedConstraint } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const agree = statement(
  'signs.agree',
  `insert into sign_agreements (sign_id, circle_id, user_id, shows_name, agreed_at)
  select signs.id, signs.circle_id, member.user_id, :showsName, :now
  from signs join circle_members as member on member.circle_id = signs.circle_id
  where signs.id = :id and member.user_id = :userId
  on conflict (sign_id, user_id) do update set shows_name = excluded.shows_name, agreed_at = excluded.agreed_at
  returning user_id`,
)

const withdraw = statement(
  'signs.withdraw',
  `with gone as (delete from sign_agreements where sign_id = :id and user_id = :userId)
  select from signs join circle_members as member on member.circle_id = signs.circle_id
  where signs.id = :id and member.user_id = :userId`,
)

/**
 * Sets what the sign of a circle of the actor shows of the actor. Only for oneself: nobody agrees for another. Throws `not_found` for any
 * other sign. Idempotent. Publish the change.
 */
export async function agreeToSign(
  db: Db,
  { userId }: Actor,
  { id, agreement }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const rows =
    agreement === 'nothing'
      ? await db.query(withdraw, { id, userId })
      : await db.query(agree, { id, userId, showsName: agreement === 'name', now }).catch((error: unknown) => {
          // The sign was revoked, or the actor has left the circle, concurrently.
          if (/^sign_agreements_(sign|member)_fkey$/.test(violatedConstraint(error) ?? ''))
            throw new Refusal('not_found')
          throw error
        })
  if (rows.length === 0) throw new Refusal('not_found')
  return { agreement }
}
