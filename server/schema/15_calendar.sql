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
