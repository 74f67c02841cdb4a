-- A person's presence is told over several ways at once: reads, live events of this process and of others. The version
-- says which of two states is the later one, and what has changed since a number that was seen. One sequence for all
-- people, so that "since" is one comparison.
create sequence presence_versions;

alter table user_presence add column version bigint not null default nextval('presence_versions');

-- By the database, so that no statement can change presence and forget it. The row is locked by then: of two changes at
-- once the later one draws the higher number.
create function number_presence() returns trigger language plpgsql as $$
begin
  new.version := nextval('presence_versions');
  return new;
end $$;

create trigger user_presence_numbered before update on user_presence
  for each row when (old.current_session_id is distinct from new.current_session_id)
  execute function number_presence();
