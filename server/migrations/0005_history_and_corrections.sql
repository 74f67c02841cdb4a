-- Past days keep their goal, the average week is at hand, and sessions can be corrected.

-- Each save of goals, so that a past day is judged by the goal that was in force at its end.
create table daily_goal_history (
  user_id uuid not null references profiles on delete cascade,
  day_of_week int not null,
  saved_at timestamptz not null,
  goal_minutes int not null,
  primary key (user_id, day_of_week, saved_at)
);
-- When the goal was saved. Of goals from before this column it is not known: they hold for all days before.
alter table daily_goals add column saved_at timestamptz not null default '-infinity';
alter table daily_goals alter column saved_at drop default;
insert into daily_goal_history (user_id, day_of_week, saved_at, goal_minutes)
  select user_id, day_of_week, saved_at, goal_minutes from daily_goals;

-- A person's days taken together, by weeks and all of them, so that the average week costs the same after ten years.
create table weekly_stats (
  user_id uuid not null references profiles on delete cascade,
  -- The date of its Monday.
  week_start text not null,
  -- The sum of its days' whole minutes.
  total_minutes int not null,
  primary key (user_id, week_start)
);
create table focus_totals (
  user_id uuid primary key references profiles on delete cascade,
  total_minutes int not null,
  -- How many weeks have at least one minute.
  active_weeks int not null
);

create function monday_of(date text) returns text
  -- Without a time zone: the week of a date is the same wherever the server stands.
  language sql immutable return to_char(date_trunc('week', date::timestamp), 'YYYY-MM-DD');

-- Adds what a day gained to its week, and what that made of the week to the whole. It looks at nothing but the rows that
-- it locks: when a statement changes two days, each trigger already sees the other day as it will be.
create function count_day() returns trigger language plpgsql as $$
declare
  gained int := new.total_minutes - coalesce(old.total_minutes, 0);
  week_minutes int;
begin
  if gained = 0 then return null; end if;
  insert into weekly_stats as week (user_id, week_start, total_minutes)
  values (new.user_id, monday_of(new.date), gained)
  on conflict (user_id, week_start) do update set total_minutes = week.total_minutes + gained
  returning total_minutes into week_minutes;
  insert into focus_totals as totals (user_id, total_minutes, active_weeks) values (new.user_id, gained, 1)
  on conflict (user_id) do update set total_minutes = totals.total_minutes + gained,
    active_weeks = totals.active_weeks + (week_minutes > 0)::int - (week_minutes - gained > 0)::int;
  return null;
end $$;

create trigger daily_stats_counted after insert or update on daily_stats for each row execute function count_day();

insert into weekly_stats (user_id, week_start, total_minutes)
  select user_id, monday_of(date), sum(total_minutes) from daily_stats group by 1, 2;
insert into focus_totals (user_id, total_minutes, active_weeks)
  select user_id, sum(total_minutes), count(*) filter (where total_minutes > 0) from weekly_stats group by 1;

alter table deeb_sessions
  -- Whether the person has said what to do with a session that was ended after 16 hours.
  add column cap_answered boolean not null default false,
  -- A deleted session stays for a while as an empty row of its id, so that a late repeat of its start finds it.
  add column discarded_at timestamptz;
create index deeb_sessions_forgotten_idx on deeb_sessions (user_id, start_time) where capped and not cap_answered;
create index deeb_sessions_discarded_idx on deeb_sessions (discarded_at) where discarded_at is not null;

-- No second of a person is counted twice. What a clock that was set back left overlapping ends where the next session
-- begins; `totals rebuild` then puts the totals right.
update deeb_sessions as session set end_time = next.start_time
from (select user_id, id, lead(start_time) over (partition by user_id order by start_time, id) as start_time
  from deeb_sessions) as next
where session.user_id = next.user_id and session.id = next.id and session.end_time > next.start_time;
create extension if not exists btree_gist;
alter table deeb_sessions add constraint deeb_sessions_never_overlap
  exclude using gist (user_id with =, tstzrange(start_time, end_time) with &&);
