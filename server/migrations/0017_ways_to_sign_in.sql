-- Passkeys, recovery codes, sign-in by a company's identity provider (OIDC) and its directory (SCIM).

-- Null: an account that a company sign-in created has no password until its owner sets one.
alter table auth.users alter column encrypted_password drop not null;
-- When the company's directory deactivated the account. banned_until is the administrator's own block.
alter table auth.users add column deactivated_at timestamptz;
create index users_deactivated_idx on auth.users (email_domain) where deactivated_at is not null;
-- A recovery link that the administrator issued also works in a domain that only its company signs in to.
alter table auth.one_time_tokens add column by_admin boolean not null default false;

-- An identity provider, one row per issuer and client.
create table auth.sso_providers (
  id uuid primary key,
  -- Part of the callback address.
  key text not null constraint sso_providers_key_key unique
    constraint sso_providers_key_normal check (key ~ '^[a-z0-9.-]{1,253}$'),
  name text not null,
  issuer text not null,
  client_id text not null,
  -- Encrypted, with the context 'sso-secret:' and the id.
  client_secret bytea,
  -- Written at the start from the settings.
  from_environment boolean not null default false,
  -- Its email claims count as verified.
  trusts_email boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint sso_providers_client_key unique (issuer, client_id)
);
-- A subject is only unique within its issuer, so another issuer is another provider.
create function auth.keep_issuer() returns trigger language plpgsql as $$
begin
  if new.id <> old.id or new.issuer <> old.issuer then
    raise exception 'The issuer of a provider cannot change: its identities belong to it.'
      using errcode = 'check_violation', constraint = 'sso_providers_keep_issuer';
  end if;
  return new;
end $$;
create trigger sso_providers_keep_issuer before update on auth.sso_providers
  for each row execute function auth.keep_issuer();

-- The email domains for which a provider may speak.
create table auth.sso_domains (
  domain text primary key constraint sso_domains_domain_normal check (domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'),
  provider_id uuid not null references auth.sso_providers on delete cascade,
  -- Accounts of this domain sign in by the provider only.
  only_sso boolean not null default false,
  created_at timestamptz not null
);
create index sso_domains_provider_id_idx on auth.sso_domains (provider_id);

-- An identity of a provider: provider is 'sso:' and its id, provider_id is the subject.
alter table auth.identities
  add column sso_provider_id uuid references auth.sso_providers on delete cascade,
  -- Encrypted, with the context 'sso-refresh:' and the id of the identity.
  add column idp_refresh_token bytea,
  -- When the provider last confirmed the identity, and when to ask it again.
  add column vouched_at timestamptz,
  add column recheck_at timestamptz,
  add constraint identities_sso_named check (
    (sso_provider_id is null and provider not like 'sso:%') or provider = 'sso:' || sso_provider_id::text);
create unique index identities_one_per_provider on auth.identities (user_id, provider);
create index identities_sso_provider_id_idx on auth.identities (sso_provider_id) where sso_provider_id is not null;
create index identities_recheck_idx on auth.identities (recheck_at) where idp_refresh_token is not null;

-- The provider that opened an auth session, and its own id for that sign-in.
alter table auth.sessions
  add column sso_provider_id uuid references auth.sso_providers on delete cascade,
  add column sso_sid text;
create index sessions_sso_idx on auth.sessions (sso_provider_id, sso_sid) where sso_provider_id is not null;

-- What a provider's callback said, until the client that began exchanges its code.
create table auth.flow_state (
  id uuid primary key,
  provider_id uuid not null references auth.sso_providers on delete cascade,
  auth_code_hash bytea not null constraint flow_state_auth_code_key unique,
  code_challenge text not null,
  -- The auth session to which the identity is linked; null for a sign-in.
  linking_session_id uuid references auth.sessions on delete cascade,
  claims jsonb not null,
  idp_refresh_token bytea,
  -- The hash of the six digits that were emailed, and how often somebody typed some.
  proof_hash bytea,
  proof_attempts int not null default 0,
  created_at timestamptz not null
);
create index flow_state_provider_id_idx on auth.flow_state (provider_id);
create index flow_state_linking_session_id_idx on auth.flow_state (linking_session_id);
create index flow_state_created_at_idx on auth.flow_state (created_at);

-- Hashes of what counts only once: answered passkey challenges and logout tokens.
create table auth.spent_tokens (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index spent_tokens_expires_at_idx on auth.spent_tokens (expires_at);

-- Passkeys.
create table auth.webauthn_credentials (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  credential_id bytea not null constraint webauthn_credentials_credential_key unique,
  public_key bytea not null,
  -- Passkeys that are synchronised between devices always say 0.
  sign_count bigint not null,
  transports text[] not null default '{}',
  aaguid uuid,
  backup_eligible boolean not null,
  backed_up boolean not null,
  friendly_name text not null
    constraint webauthn_credentials_name_length check (char_length(friendly_name) between 1 and 120),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_used_at timestamptz
);
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

-- The recovery codes of a user are one factor.
alter table auth.mfa_factors drop constraint mfa_factors_type_known,
  add constraint mfa_factors_type_known check (factor_type in ('totp', 'phone', 'recovery_code'));
create unique index mfa_factors_one_recovery on auth.mfa_factors (user_id) where factor_type = 'recovery_code';
create table auth.mfa_recovery_codes (
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  -- HMAC-SHA256 with a key that is not in the database.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (factor_id, code_hash)
);

-- The bearer tokens of a company's directory. A replaced one has an end.
create table auth.scim_tokens (
  id uuid primary key,
  provider_id uuid not null references auth.sso_providers on delete cascade,
  token_hash bytea not null constraint scim_tokens_token_key unique,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);
create index scim_tokens_provider_id_idx on auth.scim_tokens (provider_id);

-- What the directory says of the company's people, with or without an account.
create table auth.scim_users (
  id uuid primary key,
  provider_id uuid not null references auth.sso_providers on delete cascade,
  user_name text not null,
  user_name_key text generated always as (lower(user_name)) stored,
  external_id text,
  email text,
  given_name text,
  family_name text,
  display_name text,
  department text,
  active boolean not null,
  user_id uuid references auth.users on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint scim_users_user_name_key unique (provider_id, user_name_key),
  constraint scim_users_one_per_user unique (provider_id, user_id)
);
create index scim_users_external_id_idx on auth.scim_users (provider_id, external_id);
create index scim_users_email_idx on auth.scim_users (provider_id, email);
create index scim_users_user_id_idx on auth.scim_users (user_id);
