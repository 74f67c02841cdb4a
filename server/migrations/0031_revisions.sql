-- Versions are drawn from one sequence, so the gaps between the versions of one person count the switches of everybody else.
-- Versions stay in the server. Clients order the states of their own user by a revision, which counts that user's changes only.
alter table user_presence add column revision bigint not null default 0;
-- Open clients have seen the version, and ignore lower numbers.
update user_presence set revision = version;

create or replace function number_presence() returns trigger language plpgsql as $$
begin
  if old.version = new.version then
    new.version := nextval('presence_versions');
  end if;
  new.revision := greatest(new.revision, old.revision + 1);
  return new;
end $$;

drop trigger user_presence_numbered on user_presence;
create trigger user_presence_numbered before update on user_presence
  for each row when (old.current_session_id is distinct from new.current_session_id or old.version <> new.version)
  execute function number_presence();

comment on column user_presence.version is
  'A number that grows with each change of anybody, so that the server finds what changed. In no answer and no download.';
comment on column user_presence.revision is 'A number that grows with each change of this person, so that the newest state wins.';
