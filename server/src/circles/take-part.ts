import { randomUUID } from 'node:crypto'
import type { skipWeek as skipEndpoint, takePart as takeEndpoint } from '@deeb/core/circles/quiet-api'
import { type AgreedTimes, areSame } from '@deeb/core/circles/quiet-times'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { dateAfter, mondayAt, startOfLocalDay } from '@deeb/core/focus/split-by-day'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { readAgreed } from '../quiet/quiet-times.ts'

/* The lock of the circle waits for new quiet times, and keeps them as they are. */
const lockMember = statement(
  'circles.lock-member',
  `with held as materialized (select id from circles where id = :circleId for key share)
  select from circle_members, held where circle_id = held.id and user_id = :userId for key share of circle_members`,
)

const take = statement(
  'circles.take-part',
  `insert into quiet_members (circle_id, user_id, notifies, switches_on, seed) values (:circleId, :userId, false, false, :seed)
  on conflict do nothing`,
)

const wish = statement(
  'circles.wish-in-quiet-times',
  `update quiet_members set notifies = coalesce(:notifies::boolean, notifies), switches_on = coalesce(:switchesOn::boolean, switches_on)
  where circle_id = :circleId and user_id = :userId
  returning notifies, switches_on as "switchesOn"`,
)

const end = statement(
  'circles.take-no-part',
  'delete from quiet_members where circle_id = :circleId and user_id = :userId',
)

const skip = statement(
  'circles.skip-week',
  `update quiet_members set skips_until = :until where circle_id = :circleId and user_id = :userId
  returning skips_until is not null as skips`,
)

/**
 * Sets how the actor takes part in the quiet times of a circle; what is left out stays. Throws `quiet_times_changed` if the actor has
 * agreed to others, and `not_found` for a circle of others.
 */
export async function takePart(
  db: Db,
  { userId }: Actor,
  { circleId, takesPart, notifies, switchesOn, agreedTo }: InputOf<typeof takeEndpoint>,
): Promise<OutputOf<typeof takeEndpoint>> {
  return asMember(db, userId, circleId, async (db, agreed) => {
    if (switchesOn && !(agreed && agreedTo && areSame(agreed, agreedTo))) throw new Refusal('quiet_times_changed')
    if (takesPart) await db.query(take, { circleId, userId, seed: randomUUID() })
    if (takesPart === false) await db.query(end, { circleId, userId })
    const wishes = { notifies: notifies ?? null, switchesOn: switchesOn ?? null }
    const [stored] = await db.query<{ notifies: boolean; switchesOn: boolean }>(wish, { circleId, userId, ...wishes })
    return { takesPart: stored !== undefined, notifies: false, switchesOn: false, ...stored }
  })
}

/** Leaves the quiet times of a circle out for the actor until the next Monday in their zone, or not any more. */
export async function skipWeek(
  db: Db,
  { userId }: Actor,
  { circleId, skips }: InputOf<typeof skipEndpoint>,
  now: Date,
): Promise<OutputOf<typeof skipEndpoint>> {
  return asMember(db, userId, circleId, async (db, agreed) => {
    const nextMonday = (timeZone: string) => startOfLocalDay(dateAfter(mondayAt(now, timeZone), 7), timeZone)
    const until = skips && agreed ? nextMonday(agreed.timeZone) : null
    const [stored] = await db.query<{ skips: boolean }>(skip, { circleId, userId, until })
    return { skips: stored?.skips ?? false }
  })
}

/** Runs `work` in a transaction with a lock on the membership, and with the quiet times of the circle, if it has any. */
async function asMember<T>(
  db: Db,
  userId: string,
  circleId: string,
  work: (db: Db, agreed: AgreedTimes | null) => Promise<T>,
): Promise<T> {
  return db.transaction(async (db) => {
    if ((await db.query(lockMember, { circleId, userId })).length === 0) throw new Refusal('not_found')
    return work(db, await readAgreed(db, circleId))
  })
}
