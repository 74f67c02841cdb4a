-- The focus time of a person, by local dates, weeks and in all, so that the average week costs the same after ten years.

create table daily_stats (
  user_id uuid not null references profiles on delete cascade,
  -- YYYY-MM-DD, in the time zone of the session that gave the time.
  date text not null constraint daily_stats_date_form check (date ~ '^\d{4}-\d{2}-\d{2}$'),
  total_seconds int not null constraint daily_stats_not_negative check (total_seconds >= 0),
  total_minutes int not null generated always as (total_seconds / 60) stored,
  primary key (user_id, date)
);
comment on table daily_stats is 'The focus time of a day.';
comment on column daily_stats.user_id is 'The person.';
comment on column daily_stats.date is 'The local date.';
comment on column daily_stats.total_seconds is 'The focus time in seconds.';
comment on column daily_stats.total_minutes is 'The same in whole minutes.';

create table weekly_stats (
  user_id uuid not null references profiles on delete cascade,
  week_start text not null,
  -- The sum of the whole minutes of its days.
  total_minutes int not null,
  primary key (user_id, week_start)
);
comment on table weekly_stats is 'The focus time of a week.';
comment on column weekly_stats.user_id is 'The person.';
comment on column weekly_stats.week_start is 'The Monday of the week.';
comment on column weekly_stats.total_minutes is 'The sum of the minutes of its days.';

create table focus_totals (
  user_id uuid primary key references profiles on delete cascade,
  total_minutes int not null,
  active_weeks int not null
);
comment on table focus_totals is 'All focus time, for the average week.';
comment on column focus_totals.user_id is 'The person.';
comment on column focus_totals.total_minutes is 'The sum of all minutes.';
comment on column focus_totals.active_weeks is 'The number of weeks with at least one minute.';

-- Adds the gain of a day to its week, and the gain of the week to the whole. It reads only the rows that it locks: when a statement
-- changes two days, each trigger already sees the other day as it will be.
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
