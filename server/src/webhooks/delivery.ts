import { randomInt } from 'node:crypto'
import { USER_IS_BANNED } from '../auth/auth-session/auth-session.ts'
import { unseal } from '../auth/factors/seal.ts'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { createCallPoller, type Poller } from '../jobs/poller.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { webhookStoppedMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
import { type FetchOutside, OutsideError, type OutsideFailure } from '../outside/fetch-outside.ts'
import { signedHeaders } from './sign.ts'

const POLL_MS = 1_000
const MAX_IN_FLIGHT = 50
/** Exponential backoff: 5 seconds, four times as long after each failure, at most an hour. */
const BACKOFF = { firstSeconds: 5, factor: 4, maxSeconds: 3_600 }

/** A row of webhook_deliveries with its endpoint. */
interface DueDelivery {
  id: string
  endpointId: string
  type: string
  data: object
  createdAt: Date
  attempts: number
  url: string
  secret: Buffer
  /** Null once it does not sign any more. */
  oldSecret: Buffer | null
}

/*
 * At-least-once delivery: a claim is a lease of a minute, so that no other process sends the same row. After a crash or a lost answer
 * it is sent again, with the same id.
 *
 * - `due` has the oldest message of each endpoint that has none in flight. So a slow receiver delays its own messages only, and one
 *   that fails does not stop the next message.
 * - `fair` leaves out people who may not sign in now, and those who have used up their limit. Those who have sent least in the hour
 *   go first, so that a few people with many slow receivers cannot delay everybody.
 */
const claim = statement(
  'webhooks.claim',
  `with due as materialized (
    select distinct on (endpoint_id) id, endpoint_id, user_id, next_try_at from webhook_deliveries
    where next_try_at <= :now and next_try_at < 'infinity' and expires_at > :now
      and not exists (select from webhook_deliveries as other where other.endpoint_id = webhook_deliveries.endpoint_id
        and other.next_try_at < 'infinity' and other.leased_until > :now)
    order by endpoint_id, created_at
  ), fair as materialized (
    select due.id from due join webhook_endpoints as endpoint on endpoint.id = endpoint_id
      join auth.users on users.id = due.user_id
      cross join lateral (select count(*) as count from webhook_deliveries as other where other.user_id = due.user_id
        and tried_at > :now::timestamptz - interval '${LIMITS.webhooksToOne.seconds} seconds') as sent
    where off_reason is null and not ${USER_IS_BANNED} and sent.count < ${LIMITS.webhooksToOne.max}
    order by sent.count, next_try_at limit :room
  ), held as (
    select id from webhook_deliveries where id in (select id from fair) and next_try_at <= :now for update skip locked
  )
  update webhook_deliveries as delivery
  set attempts = attempts + 1, tried_at = :now, leased_until = :now::timestamptz + interval '1 minute',
    next_try_at = :now::timestamptz + interval '1 minute'
  from held, webhook_endpoints as endpoint where delivery.id = held.id and endpoint.id = delivery.endpoint_id
  returning delivery.id, endpoint.id as "endpointId", type, data, delivery.created_at as "createdAt", attempts, url, secret,
    case when old_secret_until > :now then old_secret end as "oldSecret"`,
)

const settle = statement(
  'webhooks.settle',
  `with delivered as (
    update webhook_deliveries set delivered_at = :now, status = :status, failure = null, leased_until = null, next_try_at = 'infinity'
    where id = :id and attempts = :attempts returning endpoint_id
  )
  update webhook_endpoints set failing_since = null from delivered where id = endpoint_id and url = :url and failing_since is not null`,
)

/* A failure of an older URL says nothing about the present one. */
const fail = statement(
  'webhooks.fail',
  `with failed as (
    update webhook_deliveries set status = :status, failure = :failure, leased_until = null,
      next_try_at = case when :now::timestamptz + make_interval(secs => :afterSeconds) < expires_at and not :isGone
        then :now::timestamptz + make_interval(secs => :afterSeconds) else 'infinity' end
    where id = :id and attempts = :attempts returning endpoint_id
  ), stopped as (
    update webhook_endpoints set failing_since = coalesce(failing_since, :now),
      off_reason = case when :isGone then 'gone' when failing_since <= :now::timestamptz - interval '3 days' then 'failing' end
    from failed where id = endpoint_id and url = :url and off_reason is null
    returning user_id, off_reason
  )
  ${outboxInsert({ recipient: 'email', from: 'stopped join auth.users on users.id = user_id where off_reason is not null' })}`,
)

const expire = statement(
  'webhooks.expire',
  `update webhook_deliveries set next_try_at = 'infinity', leased_until = null
  where next_try_at < 'infinity' and expires_at <= :now`,
)

/** Gives up the messages that could not be sent in time, also those of endpoints that are off. */
export async function expireDeliveries(db: Db, now: Date): Promise<void> {
  await db.query(expire, { now })
}

export interface WebhookDeliveryDeps {
  db: Db
  keys: Pick<Keys, 'sealKeys'>
  fetchOutside: FetchOutside
  publicUrl: string
  now(): Date
  /** After the commit of a failure, which may have queued an email. */
  onFailure(): void
  onError(error: Error): void
}

/** Sends the due messages to webhooks. */
export function createWebhookDelivery(deps: WebhookDeliveryDeps): Poller {
  const { db, now, onError } = deps
  return createCallPoller({
    max: MAX_IN_FLIGHT,
    claim: (room) => db.query<DueDelivery>(claim, { now: now(), room }),
    call: (delivery) => deliver(deps, delivery),
    everyMs: POLL_MS,
    onError,
  })
}

async function deliver(deps: WebhookDeliveryDeps, delivery: DueDelivery): Promise<void> {
  const { db, now } = deps
  const { id, attempts, url } = delivery
  const answer = await post(deps, delivery)
  const { status, failure, retryAfterSeconds } = answer
  if (status !== null && status >= 200 && status < 300) {
    return void (await db.query(settle, { id, attempts, url, status, now: now() }))
  }
  const afterSeconds = Math.max(backoffSeconds(attempts), retryAfterSeconds)
  const mail = mailParams(webhookStoppedMail(deps.publicUrl))
  await db.query(fail, {
    ...{ id, attempts, url, status, failure, afterSeconds, isGone: status === 410, now: now() },
    ...mail,
  })
  deps.onFailure()
}

interface Answer {
  status: number | null
  failure: OutsideFailure | null
  retryAfterSeconds: number
}

async function post({ keys, fetchOutside, now }: WebhookDeliveryDeps, delivery: DueDelivery): Promise<Answer> {
  const { id, endpointId, type, data, createdAt, url, secret, oldSecret } = delivery
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
  const secrets = [secret, ...(oldSecret ? [oldSecret] : [])].map((sealed) =>
    unseal(keys.sealKeys, Buffer.from(sealed), endpointId).toString(),
  )
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'deeb-webhooks/1',
    ...signedHeaders({ id, at: now(), body, secrets }),
  }
  try {
    const { status, headers: answered } = await fetchOutside(url, { method: 'POST', headers, body })
    const retryAfter = answered['retry-after'] ?? ''
    return { status, failure: null, retryAfterSeconds: /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : 0 }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    return { status: error.status, failure: error.reason, retryAfterSeconds: 0 }
  }
}

/** With jitter: between half and one and a half. */
function backoffSeconds(attempts: number): number {
  const { firstSeconds, factor, maxSeconds } = BACKOFF
  return (Math.min(firstSeconds * factor ** (attempts - 1), maxSeconds) * randomInt(500, 1_501)) / 1_000
}
