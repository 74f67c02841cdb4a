import { createHmac, randomUUID } from 'node:crypto'
import type { knock as endpoint } from '@deeb/core/alerts/knock-api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { countInterruptions } from '../focus/count-interruptions.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { HOUR, LIMITS } from '../limits/limits-table.ts'
import { pushInsert } from '../push/queue-push.ts'
import { forgetting, IS_ALLOWED, IS_FRESH, KEPT_FOR } from './knocks.ts'

const find = statement(
  'alerts.find-knock',
  `select deeb_sessions.id as "sessionId", exists (
      select from knocks where knocks.sender_id = pair.sender_id and knocks.receiver_id = pair.receiver_id
        and session_id = deeb_sessions.id and answer is null and ${IS_FRESH}) as "isWaiting"
  from (select :senderId::uuid as sender_id, :receiverId::uuid as receiver_id) as pair
    join deeb_sessions on user_id = receiver_id and is_active
  where ${IS_ALLOWED}`,
)

/* The unique key decides between concurrent knocks: it waits for the transaction that has the hash. */
const spend = statement(
  'alerts.spend-knock',
  `insert into auth.spent_tokens as spent (hash, expires_at) values (:hash, :now::timestamptz + :seconds * interval '1 second')
  on conflict (hash) do update set expires_at = excluded.expires_at where spent.expires_at <= :now
  returning hash`,
)

const forgetEarlier = statement(
  'alerts.forget-earlier-knock',
  `with ${forgetting('sender_id = :senderId and receiver_id = :receiverId')} select from gone`,
)

const insert = statement(
  'alerts.insert-knock',
  `with made as (
    insert into knocks (id, sender_id, receiver_id, session_id, asked_at) values (:id, :senderId, :receiverId, :sessionId, :now)
    returning id, receiver_id as user_id
  )
  ${pushInsert({ kind: "'knock'", about: 'id', worth: KEPT_FOR, from: 'made' })}`,
)

/**
 * Interrupts a colleague in deeb mode who allows it, and counts that as an interruption of theirs. Refuses with `not_found` for anybody
 * else, and with `too_many_knocks`. `isNew` is false while an earlier one waits. The limits are keyed hashes, so that no row says who
 * knocked once the knock is forgotten.
 */
export async function knock(
  database: Db,
  { guessKey }: Pick<Keys, 'guessKey'>,
  { userId: senderId }: Actor,
  { userId: receiverId }: InputOf<typeof endpoint>,
  now: Date,
  circlesAt: Date | null,
): Promise<OutputOf<typeof endpoint> & { isNew: boolean }> {
  const hash = (text: string) => createHmac('sha256', guessKey).update(`knock ${text}`).digest()
  return database.transaction(async (db) => {
    const findOpen = async () => {
      const pair = { senderId, receiverId, now, circlesAt }
      const [open] = await db.query<{ sessionId: string; isWaiting: boolean }>(find, pair)
      if (!open) throw new Refusal('not_found')
      return open
    }
    const isSpent = async (text: string, seconds: number) =>
      (await db.query(spend, { hash: hash(text), seconds, now })).length === 0
    const { sessionId, isWaiting } = await findOpen()
    if (isWaiting) return { isSent: true, isNew: false }
    if (await isSpent(`${senderId} ${sessionId}`, MAX_SESSION_HOURS * HOUR)) {
      // By the same press, if it was sent twice.
      if ((await findOpen()).isWaiting) return { isSent: true, isNew: false }
      throw new Refusal('too_many_knocks')
    }
    const { max, seconds } = LIMITS.knocks
    let slot = 0
    while (slot < max && (await isSpent(`${senderId} ${slot}`, seconds))) slot++
    if (slot === max) throw new Refusal('too_many_knocks')
    await db.query(forgetEarlier, { senderId, receiverId })
    await db.query(insert, { id: randomUUID(), senderId, receiverId, sessionId, now })
    // An id of its own: a press is kept longer than the knock.
    const press = { to: 'interrupted', sessionId, pressId: randomUUID() } as const
    await countInterruptions(db, { userId: receiverId }, [press], now)
    return { isSent: true, isNew: true }
  })
}
