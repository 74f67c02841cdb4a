-- What one person can make the database keep, per local date.

-- How many focus sessions and aliases a person has started on a local date. Deleted sessions count too.
create table daily_start_counts (
  user_id uuid not null references profiles on delete cascade,
  date text not null,
  starts int not null constraint daily_start_counts_max check (starts <= 300),
  primary key (user_id, date)
);
insert into daily_start_counts (user_id, date, starts)
  select user_id, start_date, least(count(*), 300) from deeb_sessions
  where start_time > now() - interval '9 days' group by 1, 2;

create function count_start(person uuid, local_date text) returns void language sql as $$
  insert into daily_start_counts as counts (user_id, date, starts) values (person, local_date, 1)
  on conflict (user_id, date) do update set starts = counts.starts + 1;
$$;
create function count_session() returns trigger language plpgsql as $$
begin
  perform count_start(new.user_id, new.start_date);
  return null;
end $$;
create function count_alias() returns trigger language plpgsql as $$
begin
  perform count_start(new.user_id, start_date) from deeb_sessions where user_id = new.user_id and id = new.session_id;
  return null;
end $$;

-- Deferred: counts are locked after sessions, presence and days in every transaction, so none waits for another in a circle.
create constraint trigger deeb_sessions_counted after insert on deeb_sessions
  deferrable initially deferred for each row execute function count_session();
create constraint trigger deeb_session_aliases_counted after insert on deeb_session_aliases
  deferrable initially deferred for each row execute function count_alias();

-- One row per local date of the save: of several saves on a date only the last is in force at its end.
alter table daily_goal_history add column saved_on date;
update daily_goal_history as history set saved_on = (
  select (history.saved_at at time zone 'UTC' + local.offset_from_utc)::date from (
    select coalesce((
      select next_date::timestamp - next_date_starts_at at time zone 'UTC' from deeb_sessions as session
      where session.user_id = history.user_id order by start_time desc limit 1), interval '0') as offset_from_utc
  ) as local);
delete from daily_goal_history as earlier using daily_goal_history as later
  where earlier.user_id = later.user_id and earlier.day_of_week = later.day_of_week
    and earlier.saved_on = later.saved_on and earlier.saved_at < later.saved_at;
alter table daily_goal_history
  alter column saved_on set not null,
  drop constraint daily_goal_history_pkey,
  add primary key (user_id, day_of_week, saved_on);
create index daily_goal_history_saved_at_idx on daily_goal_history (user_id, day_of_week, saved_at);
