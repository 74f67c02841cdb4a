import type { Webhook } from '@deeb/core/webhooks/api'
import type { Db } from '../db/db.ts'
import { statement } from '../db/db.ts'

/** The columns of webhook_endpoints that a WebhookRow has. */
export const WEBHOOK_COLUMNS = `id, url, events, created_at as "createdAt", failing_since as "failingSince", off_reason as "offReason"`

export interface WebhookRow {
  id: string
  url: string
  events: Webhook['events']
  createdAt: Date
  failingSince: Date | null
  offReason: Webhook['offReason']
}

/** A webhook in the shape of the API. */
export function webhookOf({ id, url, events, createdAt, failingSince, offReason }: WebhookRow): Webhook {
  return {
    ...{ id, url, events, offReason },
    createdAt: createdAt.toISOString(),
    failingSince: failingSince?.toISOString() ?? null,
  }
}

const read = statement(
  'webhooks.read',
  `select ${WEBHOOK_COLUMNS} from webhook_endpoints where user_id = :userId order by created_at, id`,
)

export function readWebhookRows(db: Db, userId: string): Promise<WebhookRow[]> {
  return db.query<WebhookRow>(read, { userId })
}
