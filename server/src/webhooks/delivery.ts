import { USER_IS_BANNED } from '../auth/auth-session/auth-session.ts'
import { unseal } from '../auth/factors/seal.ts'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import type { Job } from '../jobs/job.ts'
import { createOutbox, fairlyClaimed, leasedFor } from '../jobs/outbox.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { webhookStoppedMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
import { type FetchOutside, OutsideError, type OutsideFailure } from '../outside/fetch-outside.ts'
import { signedHeaders } from './sign.ts'

const POLL_MS = 1_000
const MAX_IN_FLIGHT = 50
const BACKOFF = { firstSeconds: 5, factor: 4, hasJitter: true }
const GONE = 410

/** A row of webhook_deliveries with its endpoint. */
interface DueDelivery {
  id: string
  endpointId: string
  type: string
  data: object
  createdAt: Date
  expiresAt: Date
  attempts: number
  url: string
  secret: Buffer
  /** Null once it does not sign any more. */
  oldSecret: Buffer | null
}

/*
 * A message that is sent again has the same id. `due` has the oldest message of each endpoint that has none in flight. So a slow
 * receiver delays its own messages only, and one that fails does not stop the next message. Nothing is sent for people who may not
 * sign in now.
 */
const claim = statement(
  'webhooks.claim',
  `with due as materialized (
    select distinct on (endpoint_id) id, endpoint_id, user_id, next_try_at from webhook_deliveries
    where next_try_at <= :now and next_try_at < 'infinity' and expires_at > :now
      and not exists (select from webhook_deliveries as other where other.endpoint_id = webhook_deliveries.endpoint_id
        and other.next_try_at < 'infinity' and other.leased_until > :now)
    order by endpoint_id, created_at
  ), ${fairlyClaimed('webhook_deliveries', LIMITS.webhooksToOne, {
    from: 'due join webhook_endpoints as endpoint on endpoint.id = endpoint_id join auth.users on users.id = due.user_id',
    where: `off_reason is null and not ${USER_IS_BANNED}`,
  })}
  update webhook_deliveries as delivery
  set ${leasedFor('1 minute')}, tried_at = :now, leased_until = :now::timestamptz + interval '1 minute'
  from held, webhook_endpoints as endpoint where delivery.id = held.id and endpoint.id = delivery.endpoint_id
  returning delivery.id, endpoint.id as "endpointId", type, data, delivery.created_at as "createdAt",
    delivery.expires_at as "expiresAt", attempts, url, secret,
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
      next_try_at = coalesce(:nextTryAt::timestamptz, 'infinity')
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
  onError(error: Error, name: string): void
}

/** Sends the due messages to webhooks. */
export function createWebhookDelivery(deps: WebhookDeliveryDeps): Job {
  const { db, now, onError } = deps
  return createOutbox<DueDelivery, Answer>({
    name: 'sending to webhooks',
    everyMs: POLL_MS,
    max: MAX_IN_FLIGHT,
    backoff: BACKOFF,
    claim: (room) => db.query(claim, { now: now(), room }),
    deliver: (delivery) => post(deps, delivery),
    isLast: ({ expiresAt }, { status }, nextTryAt) => status === GONE || nextTryAt >= expiresAt,
    settle: ({ id, attempts, url }, { status }) => db.query(settle, { id, attempts, url, status, now: now() }),
    async postpone({ id, attempts, url }, { status, failure }, nextTryAt) {
      const mail = mailParams(webhookStoppedMail(deps.publicUrl))
      await db.query(fail, {
        id,
        attempts,
        url,
        status,
        failure,
        nextTryAt,
        isGone: status === GONE,
        now: now(),
        ...mail,
      })
      deps.onFailure()
    },
    now,
    onError,
  })
}

interface Answer {
  status: number | null
  failure: OutsideFailure | null
  /** Null if the receiver has accepted it. */
  retryAfterSeconds: number | null
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
    if (status >= 200 && status < 300) return { status, failure: null, retryAfterSeconds: null }
    const retryAfter = answered['retry-after'] ?? ''
    return { status, failure: null, retryAfterSeconds: /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : 0 }
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error
    return { status: error.status, failure: error.reason, retryAfterSeconds: 0 }
  }
}
