-- Roughly when a device of the person was last touched while the session was open, to propose an end of a forgotten one, and
-- which questions "still in deeb mode?" they have answered. Both only until the session is settled.
alter table deeb_sessions
  add column last_touch_at timestamptz(0),
  add column still_on_answers text[];

-- By the database, so that no statement can settle a session and keep them. A session that was ended after 16 hours is
-- settled by its answer.
create function forget_touch() returns trigger language plpgsql as $$
begin
  new.last_touch_at := null;
  new.still_on_answers := null;
  return new;
end $$;
create trigger deeb_sessions_touch_forgotten before update on deeb_sessions
  for each row when (new.last_touch_at is not null and new.end_time is not null and (not new.capped or new.cap_answered))
  execute function forget_touch();
