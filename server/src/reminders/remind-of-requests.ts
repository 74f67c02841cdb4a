import type { Config } from '../config/config.ts'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import type { Mailer } from '../mail/mailer.ts'
import { requestsMail } from '../mail/messages.ts'
import { mailParams, outboxInsert } from '../mail/outbox-insert.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'

/** SQL: the user of a row of profiles wants such emails, and got none within a day. */
const MAY_EMAIL = `(profiles.request_emails and coalesce(
    profiles.requests_emailed_at <= :now::timestamptz - interval '${LIMITS.requestEmailsToOne.seconds} seconds', true))`

/**
 * SQL: it is between 8:00 and 19:00 for the user of a row of profiles, or their time zone is not known. It is that of their last
 * session, by its offset from UTC at the next midnight: the database may not know the name of the zone.
 */
const IS_DAYTIME = `coalesce((
    select extract(hour from :now::timestamptz at time zone 'UTC'
      + (next_date::timestamp - next_date_starts_at at time zone 'UTC')) between 8 and 18
    from deeb_sessions where user_id = profiles.id order by start_time desc limit 1), true)`

/** SQL: the user with the id in `column` is blocked, or the company has deactivated the account. */
function isBlocked(column: string): string {
  return `exists (select from auth.users where users.id = ${column}
    and (deactivated_at is not null or banned_until > :now::timestamptz))`
}

/*
 * An email waits for 10 minutes, so that anyone who looks at the app gets none, and for the end of a session. A request that waited
 * for 7 days causes none any more.
 */
const readDue = statement(
  'reminders.due',
  `with waiting as (
    select id, requester_id, receiver_id, created_at,
      row_number() over (partition by requester_id order by created_at, id) as nth
    from team_connections
    where status = 'pending' and created_at > :now::timestamptz - interval '7 days'
      and not ${isBlocked('requester_id')} and not ${isBlocked('receiver_id')}
  ), due as (
    select profiles.id, min(created_at) as since from waiting join profiles on profiles.id = receiver_id
    where nth <= ${LIMITS.requestsWithEmail.max}
      and created_at <= :now::timestamptz - interval '10 minutes'
      and created_at > coalesce(requests_seen_until, '-infinity')
      and ${MAY_EMAIL} and ${IS_DAYTIME}
      and not exists (select from deeb_sessions where user_id = profiles.id and is_active)
    group by profiles.id order by since
    limit (select greatest(0, ${LIMITS.requestEmailsToAll.max} - count(*)) from auth.outbox
      where kind = 'requests'
        and created_at > :now::timestamptz - interval '${LIMITS.requestEmailsToAll.seconds} seconds')
  )
  select due.id as "userId", array_agg(waiting.id order by created_at desc) as "requestIds",
    array_agg(case when first_name || ' ' || last_name ~ '^[A-Za-z]+ [A-Za-z]+$' then first_name || ' ' || last_name end
      order by created_at desc) as names
  from due join waiting on receiver_id = due.id join profiles as requester on requester.id = requester_id
  group by due.id`,
)

interface DueRow {
  userId: string
  /** All pending requests to the user, newest first. */
  requestIds: string[]
  /** The name of each requester; null without one, or if it has other characters than A to Z, so that no name looks like a link. */
  names: (string | null)[]
}

/*
 * Decides between several servers: the row lock serializes them, and each sees what the one before has written. Writes nothing if
 * a request that the email mentions was answered since it was read.
 */
const email = statement(
  'reminders.email',
  `with person as (
    update profiles set requests_emailed_at = :now,
      requests_seen_until = (select max(created_at) from team_connections where id = any(:requestIds::uuid[]))
    where id = :userId and ${MAY_EMAIL} and not exists (
      select from unnest(:requestIds::uuid[]) as mentioned (id) left join team_connections using (id)
      where status is distinct from 'pending')
    returning email
  )
  ${outboxInsert({ recipient: 'email', unsubscribeUrl: ':unsubscribeUrl', from: 'person' })}`,
)

interface Reminders {
  db: Db
  config: Pick<Config, 'publicUrl'>
  keys: Pick<Keys, 'unsubscribeKeys'>
  mailer: Pick<Mailer, 'kick'>
}

/**
 * Emails people to whom connection requests wait that they neither saw in the app nor got an email about. At most one email a day to
 * a person, also with several servers. Call it about once a minute.
 */
export async function remindOfRequests({ db, config, keys, mailer }: Reminders, now: Date): Promise<void> {
  const due = await db.query<DueRow>(readDue, { now })
  for (const { userId, requestIds, names } of due) {
    const url = unsubscribeUrl(config, keys, userId)
    const mail = requestsMail(config.publicUrl, {
      count: requestIds.length,
      names: names.filter((name) => name !== null),
      unsubscribeUrl: url,
    })
    await db.query(email, { userId, requestIds, now, unsubscribeUrl: url, ...mailParams(mail) })
  }
  if (due.length > 0) mailer.kick()
}
