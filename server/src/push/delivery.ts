import { IS_BANNED, IS_USABLE, NEEDS_AAL2 } from '../auth/auth-session/auth-session.ts'
import { NEEDS_FACTOR } from '../auth/required-factor.ts'
import { type Db, statement } from '../db/db.ts'
import type { Job } from '../jobs/job.ts'
import { createOutbox, fairlyClaimed, leasedFor } from '../jobs/outbox.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { Outcome, SendPush, Subscription } from './send-push.ts'

const POLL_MS = 15_000
const MAX_IN_FLIGHT = 50
const MAX_ATTEMPTS = 8
const BACKOFF = { firstSeconds: 15, factor: 2 }

/** A row of push_messages. */
interface DuePush {
  id: string
  sessionId: string
  userId: string
  kind: string
  about: string
  attempts: number
  expiresAt: Date
}

/** Reads what a message says now. Null if it is no longer true: then it is not sent. */
export type DescribePush = (push: Pick<DuePush, 'userId' | 'kind' | 'about'>, now: Date) => Promise<object | null>

/*
 * A message that is sent again has the same topic. Nothing is sent for an auth session that could not read the same in the app.
 *
 * A browser whose push service is slow delays its own messages only: `due` has one message of each browser that this process does not
 * send to at the moment.
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
  ), ${fairlyClaimed('push_messages', LIMITS.pushesToOne, {
    room: `(select least(:room::bigint, greatest(0, ${LIMITS.pushesToAll.max} - count(*))) from push_messages
      where tried_at > :now::timestamptz - interval '${LIMITS.pushesToAll.seconds} seconds')`,
  })}
  update push_messages as messages set ${leasedFor('1 minute')}, tried_at = :now
  from held, push_subscriptions as subscription
  where messages.id = held.id and subscription.session_id = messages.session_id
  returning messages.id, messages.session_id as "sessionId", messages.user_id as "userId", kind, about, attempts,
    expires_at as "expiresAt", endpoint, p256dh, auth_secret as "authSecret"`,
)

const settle = statement('push.settle', "update push_messages set next_try_at = 'infinity' where id = :id")

const postpone = statement(
  'push.postpone',
  "update push_messages set next_try_at = coalesce(:nextTryAt::timestamptz, 'infinity') where id = :id",
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
  onError(error: Error, name: string): void
}

/** Sends the due push messages. */
export function createPushDelivery({ db, send, describe, now, warn, onError }: DeliveryDeps): Job {
  /** `over`: it is no longer true, so it is not sent. */
  async function deliver(
    push: DuePush & Subscription,
  ): Promise<{ result: Outcome['result'] | 'over'; retryAfterSeconds: number | null }> {
    const body = await describe(push, now())
    if (body === null) return { result: 'over', retryAfterSeconds: null }
    const ttlSeconds = Math.max(0, Math.round((push.expiresAt.getTime() - now().getTime()) / 1000))
    const { endpoint, kind } = push
    const to = { endpoint, p256dh: Buffer.from(push.p256dh), authSecret: Buffer.from(push.authSecret) }
    const outcome = await send(to, { topic: push.id.replaceAll('-', ''), body, ttlSeconds })
    if ('reason' in outcome) warn({ kind, service: new URL(endpoint).host, reason: outcome.reason })
    return { result: outcome.result, retryAfterSeconds: outcome.result === 'later' ? outcome.afterSeconds : null }
  }

  return createOutbox({
    name: 'sending push messages',
    everyMs: POLL_MS,
    max: MAX_IN_FLIGHT,
    backoff: BACKOFF,
    claim: (room, inFlight) =>
      db.query<DuePush & Subscription>(claim, {
        ...{ now: now(), room },
        inFlight: inFlight.map(({ sessionId }) => sessionId),
      }),
    deliver,
    isLast: ({ attempts }) => attempts >= MAX_ATTEMPTS,
    settle: ({ id, sessionId, endpoint }, { result }) =>
      result === 'gone' ? db.query(unsubscribe, { sessionId, endpoint }) : db.query(settle, { id }),
    postpone: ({ id }, _, nextTryAt) => db.query(postpone, { id, nextTryAt }),
    now,
    onError,
  })
}
