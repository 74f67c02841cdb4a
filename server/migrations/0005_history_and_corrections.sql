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

-- A person's days taken together, so that the average week costs the same after ten years.
create table focus_totals (
  user_id uuid primary key references profiles on delete cascade,
  -- The sum of the days' whole minutes.
  total_minutes int not null,
  -- How many weeks, Monday to Sunday, have at least one of them.
  active_weeks int not null
);

create function monday_of(date text) returns text
  language sql stable return to_char(date_trunc('week', date::date), 'YYYY-MM-DD');

create function sunday_of(date text) returns text
  language sql stable return to_char(date_trunc('week', date::date) + interval '6 days', 'YYYY-MM-DD');

-- The row of focus_totals is locked by the first statement. The second sees what was committed until then, so that of
-- two first minutes of a week at once only the later one finds the other.
create function count_day() returns trigger language plpgsql as $$
declare
  old_minutes int := coalesce(old.total_minutes, 0);
begin
  insert into focus_totals as totals (user_id, total_minutes, active_weeks) values (new.user_id, new.total_minutes, 0)
  on conflict (user_id) do update set total_minutes = totals.total_minutes + new.total_minutes - old_minutes;
  if (old_minutes = 0) <> (new.total_minutes = 0) then
    update focus_totals set active_weeks = active_weeks + case when old_minutes = 0 then 1 else -1 end
    where user_id = new.user_id and not exists (
      select from daily_stats where user_id = new.user_id and total_minutes > 0 and date <> new.date
        and date between monday_of(new.date) and sunday_of(new.date));
  end if;
  return null;
end $$;

create trigger daily_stats_counted after insert or update on daily_stats for each row execute function count_day();

insert into focus_totals (user_id, total_minutes, active_weeks)
  select user_id, sum(total_minutes), count(distinct monday_of(date)) filter (where total_minutes > 0)
  from daily_stats group by user_id;

alter table deeb_sessions
  -- Whether the person has said what to do with a session that was ended after 16 hours.
  add column cap_answered boolean not null default false,
  -- A deleted session stays for a while as an empty row of its id, so that a late repeat of its start finds it.
  add column discarded_at timestamptz;
create index deeb_sessions_forgotten_idx on deeb_sessions (user_id, start_time) where capped and not cap_answered;
create index deeb_sessions_discarded_idx on deeb_sessions (discarded_at) where discarded_at is not null;

-- No second of a person is counted twice.
create extension if not exists btree_gist;
alter table deeb_sessions add constraint deeb_sessions_never_overlap
  exclude using gist (user_id with =, tstzrange(start_time, end_time) with &&);
