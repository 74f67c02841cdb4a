-- Accounts. Names follow GoTrue where the meaning is the same. auth.users holds proven addresses only:
-- a sign-up waits in auth.pending_signups until its link is opened and its password given.
create schema auth;

create table auth.users (
  id uuid primary key,
  email text not null constraint users_email_key unique
    constraint users_email_normal check (email = lower(email) and length(email) <= 254),
  email_domain text generated always as (split_part(email, '@', 2)) stored,
  encrypted_password text not null,
  email_confirmed_at timestamptz not null,
  raw_app_meta_data jsonb not null default '{"provider": "email", "providers": ["email"]}',
  raw_user_meta_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  banned_until timestamptz,
  failed_attempts int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index users_email_domain_idx on auth.users (email_domain);

create table auth.identities (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null,
  last_sign_in_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint identities_provider_key unique (provider, provider_id)
);
create index identities_user_id_idx on auth.identities (user_id);

create table auth.sessions (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  aal text not null default 'aal1' constraint sessions_aal_known check (aal in ('aal1', 'aal2')),
  amr jsonb not null,
  factor_id uuid,
  refresh_counter int not null default 0,
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  not_after timestamptz not null,
  user_agent text,
  ip text,
  -- sha256 of the cookie that a same-origin browser must show beside its tokens; null for apps.
  binding bytea
);
create index sessions_user_id_idx on auth.sessions (user_id);

create table auth.pending_signups (
  -- Becomes the user's id.
  id uuid primary key,
  email text not null constraint pending_signups_email_normal check (email = lower(email) and length(email) <= 254),
  password_hash text not null,
  user_meta jsonb not null default '{}',
  token_hash bytea not null constraint pending_signups_token_key unique,
  attempts int not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index pending_signups_email_idx on auth.pending_signups (email, created_at desc);

create table auth.one_time_tokens (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  token_type text not null constraint one_time_tokens_type_known check (token_type in ('recovery', 'email_change')),
  token_hash bytea not null constraint one_time_tokens_token_key unique,
  -- The address the token was issued for.
  relates_to text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint one_time_tokens_one_per_type unique (user_id, token_type)
);

create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text not null default '',
  factor_type text not null constraint mfa_factors_type_known check (factor_type in ('totp', 'phone')),
  status text not null constraint mfa_factors_status_known check (status in ('unverified', 'verified')),
  secret bytea,
  -- The last time step that was accepted: each step counts once.
  last_step bigint,
  phone text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index mfa_factors_name_key on auth.mfa_factors (user_id, friendly_name) where friendly_name <> '';
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);

create table auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  ip text,
  attempts int not null default 0,
  created_at timestamptz not null
);
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);

create table auth.known_addresses (
  user_id uuid not null references auth.users on delete cascade,
  -- An IPv4 address or an IPv6 /64.
  ip_key text not null,
  last_seen timestamptz not null,
  primary key (user_id, ip_key)
);

create table auth.outbox (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Blanked once sent: a dump of the database holds no usable link.
  body text not null,
  attempts int not null default 0,
  last_error text,
  created_at timestamptz not null,
  next_try_at timestamptz not null,
  sent_at timestamptz
);
create index outbox_due_idx on auth.outbox (next_try_at) where sent_at is null;
create index outbox_recipient_idx on auth.outbox (recipient, created_at);

create table auth.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  action text not null,
  -- No foreign key: what happened stays true after the account is gone.
  user_id uuid,
  ip text,
  detail jsonb not null default '{}'
);
create index audit_log_at_idx on auth.audit_log (at);
create index audit_log_user_id_idx on auth.audit_log (user_id);
