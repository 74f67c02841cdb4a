import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { createSign as endpoint } from '@deeb/core/signs/api'
import { IS_USABLE } from '../auth/auth-session/auth-session.ts'
import { IS_PROVEN } from '../auth/proof.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import { keeperOf } from '../circles/circle.ts'
import { type Db, statement, violatedConstraint } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { makeLinkSecret } from '../lib/link-secret.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'

const insert = statement(
  'signs.create',
  `with own as (
    select ${IS_PROVEN} as is_proven,
      (select count(*) from signs where user_id = :userId) < ${LIMITS.signs.max} as has_room,
      (:circleId::uuid is null or :userId = ${keeperOf(':circleId::uuid')}) as is_keeper
    from auth.sessions where id = :sessionId and user_id = :userId and ${IS_USABLE}
  ), made as (
    insert into signs (id, user_id, circle_id, label, token_hash, shows_name, shows_until, created_at)
    select :id, :userId, :circleId, :label, :tokenHash, :showsName and :circleId::uuid is null,
      :showsUntil and :circleId::uuid is null, :now
    from own where is_proven and has_room and is_keeper
    returning id
  )
  select is_proven as "isProven", has_room as "hasRoom", coalesce(is_keeper, false) as "isKeeper" from own`,
)

/**
 * Creates a sign of the actor, or of a circle that the actor keeps. Only the answer has its secret. Throws `proof_needed` without a
 * recent re-authentication, `not_found` for any other circle, and `too_many_signs`.
 */
export async function createSign(
  db: Db,
  { userId, sessionId }: SignedInActor,
  { label, circleId, showsName, showsUntil }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { secret: token, hash: tokenHash } = makeLinkSecret()
  const id = randomUUID()
  const values = { id, userId, sessionId, circleId: circleId ?? null, label, tokenHash, showsName, showsUntil, now }
  // The row lock serializes concurrent calls: both could pass the limit. It also orders them with an end of all signs.
  const [own] = await withUserLock(db, userId, (db) =>
    db.query<{ isProven: boolean; hasRoom: boolean; isKeeper: boolean }>(insert, values),
  ).catch((error: unknown) => {
    if (violatedConstraint(error) === 'signs_circle_key') throw new Refusal('too_many_signs')
    // The actor has left the circle concurrently.
    if (violatedConstraint(error) === 'signs_circle_fkey') throw new Refusal('not_found')
    throw error
  })
  if (!own) throw new Refusal('not_signed_in')
  if (!own.isKeeper) throw new Refusal('not_found')
  if (!own.isProven) throw new Refusal('proof_needed')
  if (!own.hasRoom) throw new Refusal('too_many_signs')
  return { id, token }
}
