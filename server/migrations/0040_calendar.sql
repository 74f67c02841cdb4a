-- The ended focus sessions of a person as a calendar, for programs that have its secret link.
create table calendar_links (
  user_id uuid primary key references profiles on delete cascade,
  token_hash bytea not null constraint calendar_links_token_hash_key unique
    constraint calendar_links_token_hash_length check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  last_read_at timestamptz
);
comment on table calendar_links is 'The secret link by which calendars read the ended focus sessions of a person.';
comment on column calendar_links.user_id is 'The person.';
comment on column calendar_links.token_hash is 'The SHA-256 hash of the secret in the link.';
comment on column calendar_links.created_at is 'When the link was created.';
comment on column calendar_links.last_read_at is 'When a calendar last read the link, accurate to an hour.';

-- A calendar needs it as SEQUENCE. By the database, so that no statement can change an ended session and forget it.
alter table deeb_sessions add column corrections int not null default 0;
comment on column deeb_sessions.corrections is 'How often it was changed, deleted or restored after it had ended.';

create function count_correction() returns trigger language plpgsql as $$
begin
  new.corrections := old.corrections + 1;
  return new;
end $$;
create trigger deeb_sessions_correction_counted before update on deeb_sessions
  for each row when (old.end_time is not null and (old.start_time, old.end_time, old.discarded_at is null)
    is distinct from (new.start_time, new.end_time, new.discarded_at is null))
  execute function count_correction();
