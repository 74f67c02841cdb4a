import type { claimCase as endpoint } from '@deeb/core/cases/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { withUserLock } from '../auth/user/user-lock.ts'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { linkSecretHash } from '../lib/link-secret.ts'
import { Refusal } from '../lib/refusal.ts'
import { HAS_ROOM, IS_CLAIMABLE } from './case.ts'
import { tapCase } from './tap-case.ts'

// Of two people who claim it concurrently, the second waits and finds it claimed.
const claim = statement(
  'cases.claim',
  `update cases set user_id = :userId, since = :now where code_hash = :hash and ${IS_CLAIMABLE} and ${HAS_ROOM} returning id`,
)

/** Makes an unclaimed code of the actor's company theirs. Idempotent. Throws `not_found` as for a tap, and `too_many_cases`. */
export async function claimCase(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { userId } = actor
  return withUserLock(db, userId, async (db) => {
    const [claimed] = await db.query(claim, { userId, hash: linkSecretHash(input.code), now })
    if (!claimed && (await tapCase(db, actor, input)).whose !== 'own') throw new Refusal('too_many_cases')
    return { whose: 'own' }
  })
}
