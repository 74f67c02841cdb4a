-- Each row has its current or next occurrence. A job moves it on when it is over, so it begins once, on any number of servers.
create table quiet_times (
  id uuid primary key,
  circle_id uuid not null references circles on delete cascade,
  days smallint[] not null constraint quiet_times_days_known
    check (cardinality(days) between 1 and 7 and days <@ '{0,1,2,3,4,5,6}'),
  from_minute smallint not null,
  to_minute smallint not null,
  time_zone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  has_begun boolean not null,
  constraint quiet_times_within_a_day check (from_minute >= 0 and from_minute < to_minute and to_minute <= 1440),
  constraint quiet_times_ends_after_start check (starts_at < ends_at)
);
comment on table quiet_times is 'A part of some days of the week in which the members of a circle have agreed to be quiet.';
comment on column quiet_times.id is 'The quiet time.';
comment on column quiet_times.circle_id is 'The circle.';
comment on column quiet_times.days is 'Its days, 0 for Sunday to 6 for Saturday.';
comment on column quiet_times.from_minute is 'When it begins, in minutes since midnight.';
comment on column quiet_times.to_minute is 'When it ends, in minutes since midnight.';
comment on column quiet_times.time_zone is 'The time zone of its days and minutes.';
comment on column quiet_times.starts_at is 'When it begins now or next.';
comment on column quiet_times.ends_at is 'When that ends.';
comment on column quiet_times.has_begun is 'Whether the push messages of its start are queued.';
create index quiet_times_circle_idx on quiet_times (circle_id);
create index quiet_times_to_begin_idx on quiet_times (starts_at) where not has_begun;
create index quiet_times_ends_at_idx on quiet_times (ends_at);

-- A table of its own: no reader of circle_members for somebody else can reveal who takes part.
create table quiet_members (
  circle_id uuid not null,
  user_id uuid not null,
  notifies boolean not null,
  switches_on boolean not null,
  seed uuid not null,
  skips_until timestamptz,
  primary key (circle_id, user_id),
  constraint quiet_members_member_fkey foreign key (circle_id, user_id) references circle_members on delete cascade
);
comment on table quiet_members is 'Who takes part in the quiet times of a circle. Nobody else can see it.';
comment on column quiet_members.circle_id is 'The circle.';
comment on column quiet_members.user_id is 'The person.';
comment on column quiet_members.notifies is 'Whether their browsers show a notification when one begins.';
comment on column quiet_members.switches_on is 'Whether a device that they have just used switches deeb mode on when one begins.';
comment on column quiet_members.seed is 'A random value that gives each start the same session id on all devices of the person, and that nobody can guess.';
comment on column quiet_members.skips_until is 'Until when they leave them out.';
create index quiet_members_skips_until_idx on quiet_members (skips_until) where skips_until is not null;
create index quiet_members_user_idx on quiet_members (user_id);
