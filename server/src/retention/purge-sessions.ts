import { type Database, statement } from '../db/db.ts'
import { removeBatch } from './clean-up.ts'

const PEOPLE_PER_BATCH = 100
/** Each session also deletes its aliases. On the embedded database a switch waits for a batch, some 35 ms. */
const ROWS_PER_BATCH = 200

/*
 * The first date to keep: a Monday, so that whole weeks are kept and a purge is due once a week. Twelve hours earlier is the earliest
 * local date on Earth, so that nobody loses a session early.
 */
const findDue = statement(
  'retention.sessions-due',
  `select cutoff from (select monday_of(to_char(
    :now::timestamptz at time zone 'UTC' - interval '12 hours' - make_interval(months => :months), 'YYYY-MM-DD'))) as due (cutoff)
  where not exists (select from retention_marks where sessions_purged_before >= cutoff)`,
)

const moveMark = statement(
  'retention.move-sessions-mark',
  `insert into retention_marks as mark (id, sessions_from) values (1, :cutoff)
  on conflict (id) do update set sessions_from = excluded.sessions_from where mark.sessions_from < excluded.sessions_from`,
)

const nextPeople = statement(
  'retention.next-people',
  `select id from profiles where id > :after order by id limit ${PEOPLE_PER_BATCH}`,
)

/* The condition on `start_time` allows an index scan per person. A local date begins less than a day before or after that of UTC. */
const purgeOf = statement(
  'retention.purge-sessions',
  `with old as (
    select ctid from deeb_sessions
    where user_id = any(:people::uuid[]) and end_time is not null
      and start_time < :cutoff::text::timestamp at time zone 'UTC' + interval '1 day'
      and case when end_time > next_date_starts_at then next_date else start_date end < :cutoff
    limit ${ROWS_PER_BATCH}
  )
  delete from deeb_sessions using old where deeb_sessions.ctid = old.ctid returning 1`,
)

const finish = statement(
  'retention.sessions-purged',
  'update retention_marks set sessions_purged_before = greatest(sessions_purged_before, :cutoff)',
)

/**
 * Purges focus sessions whose last local date is more than `months` months ago, once a week, and returns how many. All totals stay.
 *
 * The mark is committed first, so `totals check` and `totals rebuild` never see a day without its sessions. A purge that was stopped,
 * or that found another server purging, continues at the next call. Throws between two batches when `signal` is aborted.
 */
export async function purgeSessions(
  database: Database,
  months: number,
  now: Date,
  signal?: AbortSignal,
): Promise<number> {
  const [due] = await database.query<{ cutoff: string }>(findDue, { now, months })
  if (!due) return 0
  const { cutoff } = due
  await database.query(moveMark, { cutoff })
  let purged = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const people = (await database.query<{ id: string }>(nextPeople, { after })).map(({ id }) => id)
    if (people.length === 0) break
    let count: number | null
    do {
      signal?.throwIfAborted()
      count = await removeBatch(database, purgeOf, { people, cutoff })
      if (count === null) return purged
      purged += count
    } while (count === ROWS_PER_BATCH)
    after = people.at(-1) ?? after
  }
  await database.query(finish, { cutoff })
  return purged
}
