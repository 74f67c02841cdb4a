-- Accounts. Names are those of GoTrue where the meaning is the same.
create schema auth;

-- Only confirmed addresses: a sign-up waits in auth.pending_signups until its link is opened and its password entered.
create table auth.users (
  id uuid primary key,
  email text not null constraint users_email_key unique
    constraint users_email_normal check (email = lower(email) and length(email) <= 254),
  email_domain text generated always as (split_part(email, '@', 2)) stored,
  -- Null: an account that a company sign-in created has no password until its owner sets one.
  encrypted_password text,
  email_confirmed_at timestamptz not null,
  raw_app_meta_data jsonb not null default '{"provider": "email", "providers": ["email"]}',
  raw_user_meta_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  banned_until timestamptz,
  failed_attempts int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  failed_attempts_on date not null default current_date,
  failed_codes int not null default 0,
  last_failed_code_at timestamptz,
  deactivated_at timestamptz
);
comment on table auth.users is 'An account.';
comment on column auth.users.id is 'The account.';
comment on column auth.users.email is 'The confirmed email address.';
comment on column auth.users.email_domain is 'The part of the address after the @.';
comment on column auth.users.encrypted_password is 'A hash of the password (argon2id); empty for an account without one.';
comment on column auth.users.email_confirmed_at is 'When the address was confirmed.';
comment on column auth.users.raw_app_meta_data is 'By which ways the account signs in.';
comment on column auth.users.raw_user_meta_data is 'What a client stored with the account; the web app stores nothing.';
comment on column auth.users.last_sign_in_at is 'When somebody last signed in.';
comment on column auth.users.banned_until is 'Until when the administrator blocks the account.';
comment on column auth.users.failed_attempts is 'The number of wrong passwords, which halves each day.';
comment on column auth.users.created_at is 'When the account was created.';
comment on column auth.users.updated_at is 'When it last changed.';
comment on column auth.users.failed_attempts_on is 'The day on which that number was last computed.';
comment on column auth.users.failed_codes is 'The number of wrong codes of a second factor.';
comment on column auth.users.last_failed_code_at is 'When the last wrong code was entered.';
comment on column auth.users.deactivated_at is 'When the directory of the company switched the account off.';
create index users_email_domain_idx on auth.users (email_domain);
create index users_deactivated_idx on auth.users (email_domain) where deactivated_at is not null;
-- A sign-in computes a hash of every cost in use, and finds them here.
create index users_hash_cost_idx on auth.users (split_part(encrypted_password, '$', 4))
  where encrypted_password like '$argon2id$%';

create table auth.pending_signups (
  id uuid primary key,
  email text not null constraint pending_signups_email_normal check (email = lower(email) and length(email) <= 254),
  password_hash text not null,
  user_meta jsonb not null default '{}',
  token_hash bytea not null constraint pending_signups_token_key unique,
  attempts int not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  caller_network text,
  constraint pending_signups_one_per_caller unique (email, caller_network)
);
comment on table auth.pending_signups is 'A sign-up whose address is not confirmed.';
comment on column auth.pending_signups.id is 'The sign-up; becomes the id of the account.';
comment on column auth.pending_signups.email is 'The address that was entered.';
comment on column auth.pending_signups.password_hash is 'A hash of the password that was entered.';
comment on column auth.pending_signups.user_meta is 'What the client sent with it, such as the link of a circle.';
comment on column auth.pending_signups.token_hash is 'A hash of the secret of its link.';
comment on column auth.pending_signups.attempts is 'The number of wrong passwords at the confirmation.';
comment on column auth.pending_signups.created_at is 'When somebody signed up.';
comment on column auth.pending_signups.expires_at is 'When its link expires.';
comment on column auth.pending_signups.caller_network is 'The network of the IP address that signed up.';
create index pending_signups_email_idx on auth.pending_signups (email, created_at desc);
create index pending_signups_hash_cost_idx on auth.pending_signups (split_part(password_hash, '$', 4))
  where password_hash like '$argon2id$%';

create table auth.one_time_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  token_type text not null constraint one_time_tokens_type_known check (token_type in ('recovery', 'email_change')),
  token_hash bytea not null constraint one_time_tokens_token_key unique,
  relates_to text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A recovery link of the administrator also works in a domain that only its company signs in to.
  by_admin boolean not null default false,
  constraint one_time_tokens_one_per_type unique (user_id, token_type)
);
comment on table auth.one_time_tokens is 'A link by email to reset the password or change the address, as a hash.';
comment on column auth.one_time_tokens.id is 'The link.';
comment on column auth.one_time_tokens.user_id is 'The account.';
comment on column auth.one_time_tokens.token_type is 'What it is for.';
comment on column auth.one_time_tokens.token_hash is 'A hash of its secret.';
comment on column auth.one_time_tokens.relates_to is 'The address that it was made for.';
comment on column auth.one_time_tokens.created_at is 'When it was made.';
comment on column auth.one_time_tokens.expires_at is 'When it expires.';
comment on column auth.one_time_tokens.by_admin is 'Whether the administrator made it.';

-- Emails to a former address are data of its person too. Later emails to it are somebody else's.
create table auth.former_addresses (
  user_id uuid not null references auth.users on delete cascade,
  email text not null,
  until timestamptz not null,
  primary key (user_id, email)
);
comment on table auth.former_addresses is 'An address that an account had before.';
comment on column auth.former_addresses.user_id is 'The account.';
comment on column auth.former_addresses.email is 'The former address.';
comment on column auth.former_addresses.until is 'When it was given up.';

create table auth.known_addresses (
  user_id uuid not null references auth.users on delete cascade,
  -- An IPv4 address or an IPv6 /64.
  ip_key text not null,
  last_seen timestamptz not null,
  primary key (user_id, ip_key)
);
comment on table auth.known_addresses is 'From where an account was used, to slow down guesses from elsewhere.';
comment on column auth.known_addresses.user_id is 'The account.';
comment on column auth.known_addresses.ip_key is 'The IP address, or the network of an IPv6 address.';
comment on column auth.known_addresses.last_seen is 'When it was last used from there.';

-- In the database, so that several servers allow no more guesses than one. Unlogged: a crash forgets them, and they cost the write-ahead
-- log nothing.
create unlogged table auth.guesses (
  key bytea primary key constraint guesses_key_length check (octet_length(key) = 32),
  misses int not null constraint guesses_misses_not_negative check (misses >= 0),
  last_at timestamptz not null,
  wait_until timestamptz
);
comment on table auth.guesses is 'Wrong guesses of passwords, which delay the next ones.';
comment on column auth.guesses.key is 'A hash, with a key that is not in the database, of what was guessed at and from where.';
comment on column auth.guesses.misses is 'How many guesses in a row were wrong. A guess that is being checked counts as wrong.';
comment on column auth.guesses.last_at is 'When the last one began.';
comment on column auth.guesses.wait_until is 'Until when further ones are refused.';
create index guesses_last_at on auth.guesses (last_at);

-- Counts a miss for each key and returns 0, or counts nothing and returns the seconds to wait. `free` misses cost nothing, the next ones 1,
-- 2, 4 ... `max_seconds`; they expire a day after the last one. A function, because its second statement has to see what it waited for.
create function auth.count_guess(keys bytea[], free int[], max_seconds int[], at timestamptz) returns int language plpgsql as $$
declare
  wait_seconds int;
begin
  insert into auth.guesses (key, misses, last_at) select asked, 0, at from unnest(keys) as asked order by asked
    on conflict do nothing;
  perform from auth.guesses where key = any(keys) order by key for update;
  select ceil(extract(epoch from max(wait_until) - at)) into wait_seconds from auth.guesses where key = any(keys);
  if wait_seconds > 0 then return wait_seconds; end if;
  update auth.guesses set misses = 0 where key = any(keys) and last_at <= at - interval '1 day';
  update auth.guesses set misses = misses + 1, last_at = at,
    wait_until = case when misses >= asked.free
      then at + make_interval(secs => least(asked.max_seconds, power(2, least(misses - asked.free, 30)))) end
  from unnest(keys, free, max_seconds) as asked (key, free, max_seconds) where guesses.key = asked.key;
  return 0;
end $$;

create table auth.spent_tokens (
  hash bytea primary key,
  expires_at timestamptz not null
);
comment on table auth.spent_tokens is 'Hashes of one-time answers, so that none counts twice.';
comment on column auth.spent_tokens.hash is 'The hash.';
comment on column auth.spent_tokens.expires_at is 'When it is forgotten.';
create index spent_tokens_expires_at_idx on auth.spent_tokens (expires_at);

create table auth.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  action text not null,
  -- No foreign key: what happened stays true after the account is gone.
  user_id uuid,
  ip text,
  detail jsonb not null default '{}'
);
comment on table auth.audit_log is 'What happened to an account, such as sign-ins and changed passwords.';
comment on column auth.audit_log.id is 'The event.';
comment on column auth.audit_log.at is 'When it happened.';
comment on column auth.audit_log.action is 'What happened.';
comment on column auth.audit_log.user_id is 'The account.';
comment on column auth.audit_log.ip is 'The IP address of the caller; the download leaves it out where it may be a stranger''s.';
comment on column auth.audit_log.detail is 'More about the event, such as the name of a passkey.';
create index audit_log_at_idx on auth.audit_log (at);
create index audit_log_user_id_idx on auth.audit_log (user_id);
