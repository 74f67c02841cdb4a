-- Focus sessions may be kept for a number of months only. Their daily totals stay, so a check must know from when on the two can be
-- compared.
create table retention_marks (
  id int primary key constraint retention_marks_one_row check (id = 1),
  -- A local date. No session with time on it or later was purged. It is set before the purge, and never set back.
  sessions_from text not null constraint retention_marks_sessions_from_form check (sessions_from ~ '^\d{4}-\d{2}-\d{2}$'),
  -- Null until a purge has reached everybody. All sessions before this date are gone.
  sessions_purged_before text
    constraint retention_marks_sessions_purged_before_form check (sessions_purged_before ~ '^\d{4}-\d{2}-\d{2}$'),
  constraint retention_marks_purged_after_mark check (sessions_purged_before <= sessions_from)
);

-- By the database: with an earlier mark a rebuild would take the totals of purged days away.
create function refuse_earlier_mark() returns trigger language plpgsql as $$
begin
  raise exception 'A mark of the retention never moves back.' using errcode = 'restrict_violation';
end $$;
create trigger retention_marks_forward before update on retention_marks
  for each row when (new.sessions_from < old.sessions_from) execute function refuse_earlier_mark();
