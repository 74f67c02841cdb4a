import { shownName } from '@deeb/core/account/display-name'
import type { KnockAnswer } from '@deeb/core/alerts/knock-api'
import type { PushMessage } from '@deeb/core/push/messages'
import type { Person } from '@deeb/core/team/connection'
import { type Db, statement } from '../db/db.ts'
import { circlesAt } from '../presence/who-sees.ts'
import type { DescribePush } from '../push/delivery.ts'
import { IS_NOT_SKIPPED } from '../quiet/quiet-times.ts'
import { FREE_SINCE, IS_SEEN, isOn } from './free-alert.ts'
import { IS_ALLOWED, IS_FRESH } from './knocks.ts'
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

/* Somebody who is in deeb mode already needs no notification. */
const readQuiet = statement(
  'alerts.describe-quiet',
  `select circles.id as "circleId", name as circle, ends_at as "endsAt"
  from quiet_times join quiet_members using (circle_id) join circles on circles.id = circle_id
  where quiet_times.id = :about and user_id = :userId and notifies and ${IS_NOT_SKIPPED}
    and starts_at <= :circlesAt and ends_at > :circlesAt and not ${isOn('quiet_members.user_id')}`,
)

const readKnock = statement(
  'alerts.describe-knock',
  `select profiles.id, username, first_name as "firstName", last_name as "lastName", email
  from knocks join profiles on profiles.id = sender_id
  where knocks.id = :about and receiver_id = :userId and answer is null and ${IS_FRESH} and ${IS_ALLOWED}`,
)

const readAnswer = statement(
  'alerts.describe-knock-answer',
  `select profiles.id, username, first_name as "firstName", last_name as "lastName", email, answer
  from knocks join profiles on profiles.id = receiver_id
  where knocks.id = :about and sender_id = :userId and answer is not null and ${IS_FRESH} and ${IS_ALLOWED}`,
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
    if (kind === 'quiet') {
      const [row] = await db.query<{ circleId: string; circle: string; endsAt: Date }>(readQuiet, {
        ...{ userId, about, circlesAt: circlesAt(circleSize, now) },
      })
      return row ? { kind, userId, ...row, endsAt: row.endsAt.toISOString() } : null
    }
    if (kind === 'knock') {
      const [row] = await db.query<Person>(readKnock, { userId, about, now, circlesAt: circlesAt(circleSize, now) })
      return row ? { kind, personId: row.id, name: shownName(row) } : null
    }
    if (kind === 'knock-answer') {
      const [row] = await db.query<Person & { answer: KnockAnswer }>(readAnswer, {
        ...{ userId, about, now, circlesAt: circlesAt(circleSize, now) },
      })
      return row ? { kind, personId: row.id, name: shownName(row), answer: row.answer } : null
    }
    // Queued by a newer server.
    return null
  }
}
