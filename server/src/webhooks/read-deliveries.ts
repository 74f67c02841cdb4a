import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { Delivery, readDeliveries as endpoint } from '@deeb/core/webhooks/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'

const read = statement(
  'webhooks.read-deliveries',
  `select id, type, created_at as "createdAt", attempts, tried_at as "triedAt", delivered_at as "deliveredAt",
    case when next_try_at < 'infinity' then next_try_at end as "nextTryAt", status, failure
  from webhook_deliveries
  where endpoint_id = :id and user_id = :userId and created_at > :now::timestamptz - interval '7 days'
  order by created_at desc limit 100`,
)

type Row = {
  [Name in keyof Delivery]: Name extends `${string}At` ? Date | Extract<Delivery[Name], null> : Delivery[Name]
}

/** The newest messages to a webhook of the actor; none if it is another user's. */
export async function readDeliveries(
  db: Db,
  { userId }: Actor,
  { id }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const rows = await db.query<Row>(read, { id, userId, now })
  return {
    deliveries: rows.map(({ createdAt, triedAt, deliveredAt, nextTryAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      triedAt: triedAt?.toISOString() ?? null,
      deliveredAt: deliveredAt?.toISOString() ?? null,
      nextTryAt: nextTryAt?.toISOString() ?? null,
    })),
  }
}
