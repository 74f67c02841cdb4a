-- Personal access tokens: a person lets a program of theirs call the API, within scopes.

create table auth.personal_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  name text not null check (char_length(name) between 1 and 60),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  scopes text[] not null check (scopes <@ array['switch', 'read', 'team', 'sign']),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '731 days'),
  last_used_at timestamptz
);
create index personal_tokens_user_id_idx on auth.personal_tokens (user_id);

comment on table auth.personal_tokens is 'Personal access tokens: programs that a person lets use deeb in their name.';
comment on column auth.personal_tokens.id is 'The token. It is no secret.';
comment on column auth.personal_tokens.user_id is 'The person who created it.';
comment on column auth.personal_tokens.name is 'The name that the person gave it.';
comment on column auth.personal_tokens.token_hash is 'SHA-256 of the token. The token itself is not stored.';
comment on column auth.personal_tokens.scopes is 'What it may do: switch, read, team, sign.';
comment on column auth.personal_tokens.created_at is 'When it was created.';
comment on column auth.personal_tokens.expires_at is 'When it expires, at most two years later.';
comment on column auth.personal_tokens.last_used_at is 'When it was last used, up to an hour late.';
