import type { WebhookEvent } from '@deeb/core/webhooks/events'
import { type Db, statement } from '../db/db.ts'

/** The server gives up after this time. */
export const GIVES_UP_AFTER = "interval '4 hours'"

interface DeliveryInsert {
  type: WebhookEvent
  /** An SQL expression of jsonb. */
  data: string
  /** Rows with a column `user_id`. */
  from: string
}

/**
 * SQL: the insert that queues an event for every endpoint of these people that wants it, due at `:now`. As part of the statement that
 * makes the event, so that neither exists without the other (outbox pattern). It takes no lock: it waits for nothing.
 */
export function deliveryInsert({ type, data, from }: DeliveryInsert): string {
  return `insert into webhook_deliveries (id, user_id, endpoint_id, type, data, created_at, expires_at, next_try_at)
    select gen_random_uuid(), user_id, endpoint.id, '${type}', ${data}, :now, :now::timestamptz + ${GIVES_UP_AFTER}, :now
    from ${from} join webhook_endpoints as endpoint using (user_id)
    where off_reason is null and '${type}' = any(events)`
}

/** SQL: an instant in whole seconds, in the form of the API. */
const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`

/** SQL: queues `focus.started` for rows of deeb_sessions that were opened now, from a CTE with these columns. */
export const STARTED_QUEUED = (from: string) =>
  deliveryInsert({
    type: 'focus.started',
    data: `jsonb_build_object('sessionId', ${from}.id, 'startedAt', ${instant('start_time')}, 'targetMinutes', target_minutes,
      'isOn', true, 'isLate', false)`,
    from,
  })

/** SQL: queues `focus.ended` for rows of deeb_sessions that were ended now, from a CTE with these columns. */
export const ENDED_QUEUED = (from: string) =>
  deliveryInsert({
    type: 'focus.ended',
    data: `jsonb_build_object('sessionId', ${from}.id, 'startedAt', ${instant('start_time')}, 'endedAt', ${instant('end_time')},
      'isForgotten', capped, 'isOn', false, 'isLate', false)`,
    from,
  })

/** An event that a replay of queued switches has caused. */
export interface ReplayedEvent {
  type: 'focus.started' | 'focus.ended'
  data: object
}

/* In this order: each has a microsecond of its own. */
const queueReplayed = statement(
  'webhooks.queue-replayed',
  `insert into webhook_deliveries (id, user_id, endpoint_id, type, data, created_at, expires_at, next_try_at)
  select gen_random_uuid(), user_id, endpoint.id, event->>'type', event->'data',
    :now::timestamptz + place * interval '1 microsecond', :now::timestamptz + ${GIVES_UP_AFTER}, :now
  from webhook_endpoints as endpoint, jsonb_array_elements(:events::text::jsonb) with ordinality as replayed (event, place)
  where user_id = :userId and off_reason is null and event->>'type' = any(events)`,
)

/** Queues the events of a replay. Call it in its transaction. */
export async function queueReplayedEvents(db: Db, userId: string, events: ReplayedEvent[], now: Date): Promise<void> {
  if (events.length > 0) await db.query(queueReplayed, { userId, events: JSON.stringify(events), now })
}
