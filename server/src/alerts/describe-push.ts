import { shownName } from '@deeb/core/account/display-name'
import type { PushMessage } from '@deeb/core/push/messages'
import type { Person } from '@deeb/core/team/connection'
import { type Db, statement } from '../db/db.ts'
import { circlesAt } from '../presence/who-sees.ts'
import type { DescribePush } from '../push/delivery.ts'
import { FREE_SINCE, IS_SEEN, isOn } from './free-alert.ts'
import { IS_UNTOUCHED } from './remind-still-on.ts'

const readFree = statement(
  'alerts.describe-free',
  `select username, first_name as "firstName", last_name as "lastName", email, ${FREE_SINCE} as since
  from free_alerts join profiles on profiles.id = target_id
  where watcher_id = :userId and target_id = :about and due_at is not null and ${IS_SEEN} and not ${isOn('target_id')}`,
)

const readOpen = statement(
  'alerts.describe-still-on',
  `select start_time as since from deeb_sessions where user_id = :userId and id = :about and ${IS_UNTOUCHED}`,
)

/** Reads the content of push messages when they are sent: nothing about somebody whom the receiver no longer sees, or that is over. */
export function createDescribePush(db: Db, circleSize: number): DescribePush {
  return async ({ kind, userId, about }, now): Promise<PushMessage | null> => {
    if (kind === 'free') {
      const [row] = await db.query<Omit<Person, 'id'> & { since: Date }>(readFree, {
        ...{ userId, about, circlesAt: circlesAt(circleSize, now) },
      })
      return row ? { kind, personId: about, name: shownName(row), since: row.since.toISOString() } : null
    }
    if (kind === 'still-on') {
      const [row] = await db.query<{ since: Date }>(readOpen, { userId, about, now })
      return row ? { kind, userId, sessionId: about, since: row.since.toISOString() } : null
    }
    // Queued by a newer server.
    return null
  }
}
