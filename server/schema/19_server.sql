-- What the server keeps about itself.

-- So that no server starts with another secret.
create table known_secrets (
  fingerprint bytea primary key,
  first_used_at timestamptz not null
);
comment on table known_secrets is 'The secrets of the server that this database belongs to, so that no server starts with another one.';
comment on column known_secrets.fingerprint is 'What is derived from the secret, to recognize it. It does not tell the secret.';
comment on column known_secrets.first_used_at is 'When a server started with it first.';

-- Focus sessions may be kept for a number of months only. Their daily totals stay, so a check must know from when on the two can be
-- compared.
create table retention_marks (
  id int primary key constraint retention_marks_one_row check (id = 1),
  -- A local date. It is set before the purge, and never set back.
  sessions_from text not null constraint retention_marks_sessions_from_form check (sessions_from ~ '^\d{4}-\d{2}-\d{2}$'),
  -- Null until a purge has reached everybody.
  sessions_purged_before text
    constraint retention_marks_sessions_purged_before_form check (sessions_purged_before ~ '^\d{4}-\d{2}-\d{2}$'),
  constraint retention_marks_purged_after_mark check (sessions_purged_before <= sessions_from)
);
comment on table retention_marks is 'Up to when old focus sessions were deleted.';
comment on column retention_marks.id is 'Always 1.';
comment on column retention_marks.sessions_from is 'No session with time on this date or later was deleted for its age; in every download.';
comment on column retention_marks.sessions_purged_before is 'All sessions before this date are deleted.';

-- By the database: with an earlier mark a rebuild would take the totals of purged days away.
create function refuse_earlier_mark() returns trigger language plpgsql as $$
begin
  raise exception 'A mark of the retention never moves back.' using errcode = 'restrict_violation';
end $$;
create trigger retention_marks_forward before update on retention_marks
  for each row when (new.sessions_from < old.sessions_from) execute function refuse_earlier_mark();

-- The runner of migrations creates it: server/src/db/migrate.ts.
comment on table schema_migrations is 'The versions of the tables.';
comment on column schema_migrations.name is 'The change of the tables.';
comment on column schema_migrations.applied_at is 'When it was made.';
