-- How long a person means the open session to be, for colleagues. Only while it is open: plan and fact are never stored
-- together, so nobody can compare them.
alter table deeb_sessions
  add column target_minutes smallint constraint deeb_sessions_target_range check (target_minutes between 5 and 480),
  add constraint deeb_sessions_target_only_open check (target_minutes is null or end_time is null);

-- By the database, in the statement that ends the session: no such statement can forget it, also none of an older server.
create function forget_target() returns trigger language plpgsql as $$
begin
  new.target_minutes := null;
  return new;
end $$;
create trigger deeb_sessions_target_forgotten before update on deeb_sessions
  for each row when (new.target_minutes is not null and new.end_time is not null)
  execute function forget_target();
