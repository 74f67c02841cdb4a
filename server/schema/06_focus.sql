-- The switch: focus sessions, and the presence that follows from them.
create extension if not exists btree_gist;

create table deeb_sessions (
  -- Made by the client, so that a start is idempotent. The key begins with the person: the id of somebody else's session
  -- means nothing here.
  id uuid not null,
  user_id uuid not null references profiles on delete cascade,
  -- Whole seconds: later sums equal what was shown, and nothing is lost to rounding.
  start_time timestamptz(0) not null,
  end_time timestamptz(0),
  is_active boolean not null generated always as (end_time is null) stored,
  capped boolean not null default false,
  -- 16 hours touch two local dates at most, so one boundary is enough to split the session when it ends, in the same statement.
  time_zone text not null,
  start_date text not null constraint deeb_sessions_start_date_form check (start_date ~ '^\d{4}-\d{2}-\d{2}$'),
  next_date text not null constraint deeb_sessions_next_date_form check (next_date ~ '^\d{4}-\d{2}-\d{2}$'),
  next_date_starts_at timestamptz(0) not null,
  cap_answered boolean not null default false,
  -- A deleted session stays for a while as an empty row of its id, so that a late repeat of its start finds it.
  discarded_at timestamptz,
  last_touch_at timestamptz(0),
  still_on_answers text[],
  reminded_at timestamptz(0),
  -- Only while the session is open: plan and fact are never stored together, so nobody can compare them.
  target_minutes smallint constraint deeb_sessions_target_range check (target_minutes between 5 and 480),
  -- A calendar needs it as SEQUENCE.
  corrections int not null default 0,
  primary key (user_id, id),
  constraint deeb_sessions_forward check (end_time >= start_time),
  constraint deeb_sessions_at_most_16_hours check (end_time <= start_time + interval '16 hours'),
  constraint deeb_sessions_boundary_ahead check (next_date_starts_at > start_time and next_date > start_date),
  constraint deeb_sessions_target_only_open check (target_minutes is null or end_time is null)
);
comment on table deeb_sessions is 'A focus session: the time between switching on and off.';
comment on column deeb_sessions.id is 'The session.';
comment on column deeb_sessions.user_id is 'The person.';
comment on column deeb_sessions.start_time is 'When it began.';
comment on column deeb_sessions.end_time is 'When it ended; empty while it is open.';
comment on column deeb_sessions.is_active is 'Whether it is open.';
comment on column deeb_sessions.capped is 'Whether the server ended it after 16 hours.';
comment on column deeb_sessions.time_zone is 'The time zone of the device at its start.';
comment on column deeb_sessions.start_date is 'The local date of its start.';
comment on column deeb_sessions.next_date is 'The local date after that.';
comment on column deeb_sessions.next_date_starts_at is 'When that next date begins.';
comment on column deeb_sessions.cap_answered is 'Whether the person has said how long a forgotten session really was.';
comment on column deeb_sessions.discarded_at is 'When the person deleted it; empty otherwise.';
comment on column deeb_sessions.last_touch_at is 'The last press or key in the app on any device of the person, to about 15 minutes.';
comment on column deeb_sessions.still_on_answers is 'Which of the questions "Still in deeb mode?" the person has answered.';
comment on column deeb_sessions.reminded_at is 'When a notification reminded the person of it.';
comment on column deeb_sessions.target_minutes is 'How long the person means the open session to be; removed when it ends.';
comment on column deeb_sessions.corrections is 'How often it was changed, deleted or restored after it had ended.';
-- One open session per person, for any number of devices.
create unique index deeb_sessions_one_open on deeb_sessions (user_id) where is_active;
-- No second of a person counts twice. After the index above: a second open session violates both, and the first of them is reported.
alter table deeb_sessions add constraint deeb_sessions_never_overlap
  exclude using gist (user_id with =, tstzrange(start_time, end_time) with &&);
-- Only for the search for forgotten sessions, which reads the open ones of all people. With `is_active`, which reads of one person use,
-- planners without statistics took this index for those too.
create index deeb_sessions_open_since_idx on deeb_sessions (start_time) where end_time is null;
create index deeb_sessions_history_idx on deeb_sessions (user_id, start_time);
create index deeb_sessions_forgotten_idx on deeb_sessions (user_id, start_time) where capped and not cap_answered;
create index deeb_sessions_discarded_idx on deeb_sessions (discarded_at) where discarded_at is not null;

-- The triggers below work in the statement that changes the session, so that no statement can forget them.

-- A touch is only kept until the session is settled. A session that was ended after 16 hours is settled by its answer.
create function forget_touch() returns trigger language plpgsql as $$
begin
  new.last_touch_at := null;
  new.still_on_answers := null;
  return new;
end $$;
create trigger deeb_sessions_touch_forgotten before update on deeb_sessions
  for each row when (new.last_touch_at is not null and new.end_time is not null and (not new.capped or new.cap_answered))
  execute function forget_touch();

create function forget_target() returns trigger language plpgsql as $$
begin
  new.target_minutes := null;
  return new;
end $$;
create trigger deeb_sessions_target_forgotten before update on deeb_sessions
  for each row when (new.target_minutes is not null and new.end_time is not null)
  execute function forget_target();

create function count_correction() returns trigger language plpgsql as $$
begin
  new.corrections := old.corrections + 1;
  return new;
end $$;
create trigger deeb_sessions_correction_counted before update on deeb_sessions
  for each row when (old.end_time is not null and (old.start_time, old.end_time, old.discarded_at is null)
    is distinct from (new.start_time, new.end_time, new.discarded_at is null))
  execute function count_correction();

-- A start that was answered with another, open session: its id names that session too.
create table deeb_session_aliases (
  user_id uuid not null,
  alias uuid not null,
  session_id uuid not null,
  primary key (user_id, alias),
  foreign key (user_id, session_id) references deeb_sessions (user_id, id) on delete cascade
);
comment on table deeb_session_aliases is 'A second id of a session, from a device that started it again.';
comment on column deeb_session_aliases.user_id is 'The person.';
comment on column deeb_session_aliases.alias is 'The second id.';
comment on column deeb_session_aliases.session_id is 'The session.';

-- Counts sessions and aliases. Deleted sessions count too.
create table daily_start_counts (
  user_id uuid not null references profiles on delete cascade,
  date text not null,
  starts int not null constraint daily_start_counts_max check (starts <= 300),
  primary key (user_id, date)
);
comment on table daily_start_counts is 'How many sessions began on a day, for a limit against misuse.';
comment on column daily_start_counts.user_id is 'The person.';
comment on column daily_start_counts.date is 'The local date.';
comment on column daily_start_counts.starts is 'The number of sessions that began.';

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

-- Deferred: in every transaction, counts are locked after sessions, presence and days, which prevents deadlocks.
create constraint trigger deeb_sessions_counted after insert on deeb_sessions
  deferrable initially deferred for each row execute function count_session();
create constraint trigger deeb_session_aliases_counted after insert on deeb_session_aliases
  deferrable initially deferred for each row execute function count_alias();

-- Says which of two states is newer, and what has changed since a version that was delivered. One sequence for all people, so that "since"
-- is one comparison.
create sequence presence_versions;

-- Versions stay in the server: the gaps between those of one person count the switches of everybody else. Clients order the states of
-- their own user by the revision.
create table user_presence (
  user_id uuid primary key references profiles on delete cascade,
  is_in_deeb_mode boolean not null generated always as (current_session_id is not null) stored,
  current_session_id uuid,
  version bigint not null default nextval('presence_versions'),
  revision bigint not null default 0,
  foreign key (user_id, current_session_id) references deeb_sessions (user_id, id)
);
comment on table user_presence is 'Whether the person is in deeb mode now.';
comment on column user_presence.user_id is 'The person.';
comment on column user_presence.is_in_deeb_mode is 'Whether deeb mode is on.';
comment on column user_presence.current_session_id is 'The open focus session.';
comment on column user_presence.version is
  'A number that grows with each change of anybody, so that the server finds what changed. In no answer and no download.';
comment on column user_presence.revision is 'A number that grows with each change of this person, so that the newest state wins.';

-- By the database, so that no statement can change presence and forget it. The row is locked: of two concurrent changes the later one
-- draws the higher number.
create function number_presence() returns trigger language plpgsql as $$
begin
  if old.version = new.version then
    new.version := nextval('presence_versions');
  end if;
  new.revision := greatest(new.revision, old.revision + 1);
  return new;
end $$;
create trigger user_presence_numbered before update on user_presence
  for each row when (old.current_session_id is distinct from new.current_session_id or old.version <> new.version)
  execute function number_presence();
