import { IS_BANNED, IS_USABLE, NEEDS_AAL2 } from '../auth/auth-session/auth-session.ts'
import { NEEDS_FACTOR } from '../auth/required-factor.ts'
import { type Db, statement } from '../db/db.ts'
import { createCallPoller, type Poller } from '../jobs/poller.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { SendPush, Subscription } from './send-push.ts'

const POLL_MS = 15_000
const MAX_IN_FLIGHT = 50
const MAX_ATTEMPTS = 8

/** A row of push_messages. */
interface DuePush {
  id: string
  sessionId: string
  userId: string
  kind: string
  about: string
  expiresAt: Date
}

/** Reads what a message says now. Null if it is no longer true: then it is not sent. */
export type DescribePush = (push: Pick<DuePush, 'userId' | 'kind' | 'about'>, now: Date) => Promise<object | null>

/*
 * At-least-once delivery: a claim is a lease of a minute, so that no other process sends the same row. After a crash or a lost answer
 * it is sent again, with the same topic. Nothing is sent for an auth session that could not read the same in the app.
 *
 * A browser whose push service is slow delays its own messages only: `due` has one message of each browser that this process does not
 * send to at the moment. Of the people, those who have received least in the hour go first.
 */
const claim = statement(
  'push.claim',
  `with due as materialized (
    select distinct on (session_id) messages.id, messages.user_id, next_try_at
    from push_messages as messages join push_subscriptions as subscription using (session_id)
      join auth.sessions on sessions.id = subscription.session_id
    where next_try_at <= :now::timestamptz and next_try_at < 'infinity' and expires_at > :now::timestamptz
      and session_id <> all(:inFlight::uuid[])
      and ${IS_USABLE} and not ${IS_BANNED} and not ${NEEDS_AAL2} and not ${NEEDS_FACTOR}
    order by session_id, next_try_at
  ), fair as materialized (
    select due.id from due cross join lateral (select count(*) as count from push_messages as other
      where other.user_id = due.user_id
        and tried_at > :now::timestamptz - interval '${LIMITS.pushesToOne.seconds} seconds') as sent
    where sent.count < ${LIMITS.pushesToOne.max}
    order by sent.count, next_try_at
    limit (select least(:room::bigint, greatest(0, ${LIMITS.pushesToAll.max} - count(*))) from push_messages
      where tried_at > :now::timestamptz - interval '${LIMITS.pushesToAll.seconds} seconds')
  ), held as (
    select id from push_messages where id in (select id from fair) and next_try_at <= :now::timestamptz for update skip locked
  )
  update push_messages as messages
  set attempts = attempts + 1, tried_at = :now, next_try_at = :now::timestamptz + interval '1 minute'
  from held, push_subscriptions as subscription
  where messages.id = held.id and subscription.session_id = messages.session_id
  returning messages.id, messages.session_id as "sessionId", messages.user_id as "userId", kind, about,
    expires_at as "expiresAt", endpoint, p256dh, auth_secret as "authSecret"`,
)

const settle = statement('push.settle', "update push_messages set next_try_at = 'infinity' where id = :id")

/* Exponential backoff: 15 seconds, doubled. */
const postpone = statement(
  'push.postpone',
  `update push_messages set next_try_at = case when attempts >= ${MAX_ATTEMPTS} then 'infinity'
    else :now::timestamptz + greatest(make_interval(secs => :afterSeconds), interval '15 seconds' * 2 ^ (attempts - 1)) end
  where id = :id`,
)

/* The browser may have subscribed again since then. */
const unsubscribe = statement(
  'push.gone',
  'delete from push_subscriptions where session_id = :sessionId and endpoint = :endpoint',
)

interface DeliveryDeps {
  db: Db
  send: SendPush
  describe: DescribePush
  now(): Date
  /** Logs a message that could not be sent, without the person and the address. */
  warn(what: { kind: string; service: string; reason: string }): void
  onError(error: Error): void
}

/** Sends the due push messages. */
export function createPushDelivery(deps: DeliveryDeps): Poller {
  const { db, now, onError } = deps
  return createCallPoller<DuePush & Subscription>({
    max: MAX_IN_FLIGHT,
    claim: (room, inFlight) =>
      db.query(claim, { now: now(), room, inFlight: inFlight.map(({ sessionId }) => sessionId) }),
    call: (push) => deliver(deps, push),
    everyMs: POLL_MS,
    onError,
  })
}

async function deliver({ db, send, describe, now, warn }: DeliveryDeps, push: DuePush & Subscription): Promise<void> {
  const { id, sessionId, endpoint, kind } = push
  const body = await describe(push, now())
  if (body === null) return void (await db.query(settle, { id }))
  const ttlSeconds = Math.max(0, Math.round((push.expiresAt.getTime() - now().getTime()) / 1000))
  const keys = { p256dh: Buffer.from(push.p256dh), authSecret: Buffer.from(push.authSecret) }
  const outcome = await send({ endpoint, ...keys }, { topic: id.replaceAll('-', ''), body, ttlSeconds })
  if ('reason' in outcome) warn({ kind, service: new URL(endpoint).host, reason: outcome.reason })
  if (outcome.result === 'gone') await db.query(unsubscribe, { sessionId, endpoint })
  else if (outcome.result === 'later') await db.query(postpone, { id, now: now(), afterSeconds: outcome.afterSeconds })
  else await db.query(settle, { id })
}
