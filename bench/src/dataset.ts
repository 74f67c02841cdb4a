import { createPasswords } from '../../server/src/auth/password/hashing.ts'
import { WITHOUT_DAILY_LIMIT } from '../../server/src/testing/without-limits.ts'
import { CIRCLES, CONNECTIONS, HISTORY_DAYS, withCircles, withConnections, withHistory } from './person.ts'
import { CLIQUE, type Size } from './size.ts'

/** People with 1,600 different names. The first `company` people are one company, the others are in companies of fifty. */
const people = ({ people, company }: Size, passwordHash: string) => `
  create temporary table made as select n, md5('person ' || n)::uuid as id, first, last,
    lower(first || '.' || last || n || '@') || case when n <= ${company} then 'large' else 'company' || n / 50 end || '.example' as email
  from generate_series(1, ${people}) as n cross join lateral (select
    (array['ann','ber','mar','joh','lui','sop','pet','kla'])[1 + n % 8] || (array['a','ta','ia','anna','se'])[1 + n / 8 % 5] as first,
    (array['mey','schm','ber','kra','wag','hof','zim','kel'])[1 + n / 40 % 8] || (array['er','idt','mann','g','son'])[1 + n / 320 % 5] as last
  ) as named;
  insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
    select id, email, '${passwordHash}', now() - interval '3 years', now(), now() from made;
  insert into auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after)
    select md5('session ' || n)::uuid, id, '[]', now(), now(), now() + interval '1 day' from made;
  insert into profiles (id, email, company_domain, first_name, first_name_key, last_name, last_name_key, username, username_key)
    select id, email, split_part(email, '@', 2), initcap(first), upper(first), initcap(last), upper(last),
      case when n % 3 = 0 then first || n end, case when n % 3 = 0 then upper(first || n) end from made;
  insert into user_presence (user_id) select id from made;
  insert into daily_goals (user_id, day_of_week, goal_minutes, saved_at)
    select id, day, 60 * (1 + n % 8), now() - interval '2 years' from made cross join generate_series(0, 6) as day;
  insert into daily_goal_history (user_id, day_of_week, goal_minutes, saved_at, saved_on)
    select user_id, day_of_week, goal_minutes, saved_at, saved_at::date from daily_goals;
  drop table made;`

/** A focus session of one to four hours on each day before today. The trigger that counts a day's starts is off. */
const history = ({ n, to, days }: { n: number; to: number; days: number }) => `
  alter table deeb_sessions disable trigger deeb_sessions_counted;
  insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
  select md5('person ' || n)::uuid, md5('history ' || n || ' ' || day)::uuid, morning + interval '9 hours',
    morning + interval '10 hours' + interval '1 second' * (abs(hashtext(n || ' ' || day)) % 10800), 'Etc/UTC',
    to_char(morning at time zone 'utc', 'YYYY-MM-DD'), to_char(morning at time zone 'utc' + interval '1 day', 'YYYY-MM-DD'),
    morning + interval '1 day'
  from generate_series(${n}, ${to}) as n cross join generate_series(1, ${days}) as day
    cross join lateral (select date_trunc('day', now(), 'utc') - interval '1 day' * day as morning) as at;
  alter table deeb_sessions enable trigger deeb_sessions_counted;`

/** The last one in fifty people is in deeb mode, so that the planner's statistics contain some. */
const open = ({ people }: Size) => `
  with opened as (
    insert into deeb_sessions (user_id, id, start_time, time_zone, start_date, next_date, next_date_starts_at)
    select md5('person ' || n)::uuid, md5('open ' || n)::uuid, now() - interval '1 minute' * (n % 180), 'Etc/UTC',
      to_char(now() - interval '1 day', 'YYYY-MM-DD'), to_char(now() + interval '1 day', 'YYYY-MM-DD'), now() + interval '1 day'
    from generate_series(${Math.ceil(people * 0.98)}, ${people}) as n returning user_id, id
  )
  update user_presence as presence set current_session_id = id from opened where presence.user_id = opened.user_id;`

/** The totals, in one statement each. The trigger is off: in one transaction it would read 400 row versions of each total. */
const TOTALS = `
  alter table daily_stats disable trigger daily_stats_counted;
  insert into daily_stats (user_id, date, total_seconds)
  select user_id, start_date, sum(extract(epoch from end_time - start_time)) from deeb_sessions group by 1, 2;
  alter table daily_stats enable trigger daily_stats_counted;
  insert into weekly_stats (user_id, week_start, total_minutes)
  select user_id, monday_of(date), sum(total_minutes) from daily_stats group by 1, 2;
  insert into focus_totals (user_id, total_minutes, active_weeks)
  select user_id, sum(total_minutes), count(*) filter (where total_minutes > 0) from weekly_stats group by 1;`

const connect = (pairs: string) => `
  insert into team_connections (id, requester_id, receiver_id, status, created_at, updated_at)
  select gen_random_uuid(), md5('person ' || a)::uuid, md5('person ' || b)::uuid, 'accepted', now(), now() from ${pairs};`

/** All people of a clique are connected with each other. */
const cliques = ({ streams }: Size) =>
  connect(`generate_series(1, ${streams}) as a cross join lateral
    generate_series(a + 1, (a - 1) / ${CLIQUE} * ${CLIQUE} + ${CLIQUE}) as b`)

/** Circles from pairs of a circle `c` and the number `n` of a member. */
const circles = (pairs: string) => `
  create temporary table joined as select md5('circle ' || c)::uuid as circle_id, md5('person ' || n)::uuid as user_id from ${pairs};
  insert into circles (id, company_domain, name, created_at)
    select distinct circle_id, 'large.example', 'Circle', now() - interval '1 year' from joined;
  insert into circle_members (circle_id, user_id, company_domain, joined_at, visible_from)
    select circle_id, user_id, 'large.example', now() - interval '1 year', now() - interval '1 year' from joined;
  drop table joined;`

/** One person in ten circles. The people of the company without streams are in circles of forty. */
const allCircles = (size: Size) => {
  const n = withCircles(size)
  const { count, others } = CIRCLES
  return circles(`(select (b - 1) / ${others} as c, ${n} - 30 - b as n from generate_series(1, ${count * others}) as b
    union all select c, ${n} from generate_series(0, ${count - 1}) as c
    union all select ${count} + n / 40, n from generate_series(${size.streams + 1}, ${n - 600}) as n) as members`)
}

const PASSWORD = 'seven quiet otters'

/**
 * Fills a migrated, empty database with SQL. The rows are the same each time, except for times, which are relative to now.
 * Every person has the same password, one auth session and no daily limit: a few make the switches of many.
 */
export async function fill(run: (sql: string) => Promise<unknown>, size: Size): Promise<void> {
  const passwords = createPasswords({ memoryKiB: 19456, passes: 2, threads: 1 })
  await run(WITHOUT_DAILY_LIMIT)
  await run(people(size, await passwords.hash(PASSWORD)))
  await run(history({ n: 1, to: size.historians, days: size.historyDays ?? 400 }))
  for (const [name, days] of Object.entries(HISTORY_DAYS)) {
    const n = withHistory(size, name as keyof typeof HISTORY_DAYS)
    await run(history({ n, to: n, days }))
  }
  await run(TOTALS)
  await run(open(size))
  await run(cliques(size))
  for (const connections of CONNECTIONS) {
    const n = withConnections(size, connections)
    await run(connect(`(select ${n} as a, ${n} - 10 - b as b from generate_series(1, ${connections}) as b) as pairs`))
  }
  await run(allCircles(size))
  await run('vacuum analyze')
  await run('checkpoint')
}
