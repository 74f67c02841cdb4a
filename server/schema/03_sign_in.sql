-- The ways to sign in, and what they open.

-- An identity of a company's provider: `provider` is 'sso:' and its id, `provider_id` is the subject.
create table auth.identities (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null,
  provider_id text not null,
  identity_data jsonb not null,
  last_sign_in_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  sso_provider_id uuid references auth.sso_providers on delete cascade,
  -- Encrypted, with the context 'sso-refresh:' and the id of the identity.
  idp_refresh_token bytea,
  vouched_at timestamptz,
  recheck_at timestamptz,
  constraint identities_provider_key unique (provider, provider_id),
  constraint identities_sso_named check (
    (sso_provider_id is null and provider not like 'sso:%') or provider = 'sso:' || sso_provider_id::text)
);
comment on table auth.identities is 'A way in which an account signs in: by email, or by the company account.';
comment on column auth.identities.id is 'The way.';
comment on column auth.identities.user_id is 'The account.';
comment on column auth.identities.provider is 'Email, or the identity provider of the company.';
comment on column auth.identities.provider_id is 'The id of the person there.';
comment on column auth.identities.identity_data is 'What the provider said about the person, such as name and address.';
comment on column auth.identities.last_sign_in_at is 'When it was last used.';
comment on column auth.identities.created_at is 'When it was added.';
comment on column auth.identities.updated_at is 'When it last changed.';
comment on column auth.identities.sso_provider_id is 'The identity provider of the company.';
comment on column auth.identities.idp_refresh_token is 'An encrypted token to ask the provider daily whether the person is still there.';
comment on column auth.identities.vouched_at is 'When the provider last confirmed the person.';
comment on column auth.identities.recheck_at is 'When the provider is asked next.';
create index identities_user_id_idx on auth.identities (user_id);
create unique index identities_one_per_provider on auth.identities (user_id, provider);
create index identities_sso_provider_id_idx on auth.identities (sso_provider_id) where sso_provider_id is not null;
create index identities_recheck_idx on auth.identities (recheck_at) where idp_refresh_token is not null;

-- Auth sessions. Those of a focus are deeb_sessions.
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
  -- SHA-256 of the cookie that a same-origin browser must show beside its tokens; null for apps.
  binding bytea,
  proven_at timestamptz,
  -- A right code in this auth session forgives them.
  failed_codes int not null default 0,
  sso_provider_id uuid references auth.sso_providers on delete cascade,
  sso_sid text
);
comment on table auth.sessions is 'One sign-in of one browser or device.';
comment on column auth.sessions.id is 'The sign-in.';
comment on column auth.sessions.user_id is 'The account.';
comment on column auth.sessions.aal is 'Whether a second factor was used.';
comment on column auth.sessions.amr is 'How and when the person proved who they are.';
comment on column auth.sessions.factor_id is 'The second factor that was used.';
comment on column auth.sessions.refresh_counter is 'How often the sign-in was renewed.';
comment on column auth.sessions.created_at is 'When the person signed in.';
comment on column auth.sessions.refreshed_at is 'When the device last renewed it.';
comment on column auth.sessions.not_after is 'When it ends at the latest.';
comment on column auth.sessions.user_agent is 'The name of browser and system that the device sent.';
comment on column auth.sessions.ip is 'The IP address of the sign-in.';
comment on column auth.sessions.binding is 'A hash of the cookie that binds it to its browser.';
comment on column auth.sessions.proven_at is 'When the person last proved who they are.';
comment on column auth.sessions.failed_codes is 'The number of wrong codes in this sign-in.';
comment on column auth.sessions.sso_provider_id is 'The identity provider that opened it.';
comment on column auth.sessions.sso_sid is 'The id of this sign-in at the provider.';
create index sessions_user_id_idx on auth.sessions (user_id);
create index sessions_sso_idx on auth.sessions (sso_provider_id, sso_sid) where sso_provider_id is not null;

-- The answer of a provider's callback, until the client that began exchanges its code.
create table auth.flow_state (
  id uuid primary key,
  provider_id uuid not null references auth.sso_providers on delete cascade,
  auth_code_hash bytea not null constraint flow_state_auth_code_key unique,
  code_challenge text not null,
  -- Null for a sign-in.
  linking_session_id uuid references auth.sessions on delete cascade,
  claims jsonb not null,
  idp_refresh_token bytea,
  proof_hash bytea,
  proof_attempts int not null default 0,
  created_at timestamptz not null
);
comment on table auth.flow_state is 'A sign-in by the company that is not complete.';
comment on column auth.flow_state.id is 'The sign-in.';
comment on column auth.flow_state.provider_id is 'The identity provider.';
comment on column auth.flow_state.auth_code_hash is 'A hash of the code that completes it.';
comment on column auth.flow_state.code_challenge is 'A value that only the browser that began can answer.';
comment on column auth.flow_state.linking_session_id is 'The sign-in to which the company account is added.';
comment on column auth.flow_state.claims is 'What the provider said about the person, such as name and address.';
comment on column auth.flow_state.idp_refresh_token is 'An encrypted token of the provider.';
comment on column auth.flow_state.proof_hash is 'A hash of the six digits that were sent by email.';
comment on column auth.flow_state.proof_attempts is 'How often somebody entered digits.';
comment on column auth.flow_state.created_at is 'When it began.';
create index flow_state_provider_id_idx on auth.flow_state (provider_id);
create index flow_state_linking_session_id_idx on auth.flow_state (linking_session_id);
create index flow_state_created_at_idx on auth.flow_state (created_at);

-- The recovery codes of a user are one factor.
create table auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text not null default '',
  factor_type text not null constraint mfa_factors_type_known check (factor_type in ('totp', 'phone', 'recovery_code')),
  status text not null constraint mfa_factors_status_known check (status in ('unverified', 'verified')),
  secret bytea,
  last_step bigint,
  phone text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table auth.mfa_factors is 'An authenticator app, or the recovery codes as a whole.';
comment on column auth.mfa_factors.id is 'The factor.';
comment on column auth.mfa_factors.user_id is 'The account.';
comment on column auth.mfa_factors.friendly_name is 'The name that the person gave it.';
comment on column auth.mfa_factors.factor_type is 'An app, or recovery codes.';
comment on column auth.mfa_factors.status is 'Whether it was confirmed by a first code.';
comment on column auth.mfa_factors.secret is 'The encrypted secret of the app.';
comment on column auth.mfa_factors.last_step is 'The time step of the last code, so that each code counts once.';
comment on column auth.mfa_factors.phone is 'Always empty; a part of the format of the account service.';
comment on column auth.mfa_factors.created_at is 'When it was added.';
comment on column auth.mfa_factors.updated_at is 'When it last changed.';
create unique index mfa_factors_name_key on auth.mfa_factors (user_id, friendly_name) where friendly_name <> '';
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);
create unique index mfa_factors_one_recovery on auth.mfa_factors (user_id) where factor_type = 'recovery_code';

create table auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  ip text,
  attempts int not null default 0,
  created_at timestamptz not null
);
comment on table auth.mfa_challenges is 'A question for a code that is not answered yet.';
comment on column auth.mfa_challenges.id is 'The question.';
comment on column auth.mfa_challenges.factor_id is 'The second factor.';
comment on column auth.mfa_challenges.ip is 'The IP address of the device.';
comment on column auth.mfa_challenges.attempts is 'The number of wrong codes.';
comment on column auth.mfa_challenges.created_at is 'When it was asked.';
create index mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);

create table auth.mfa_recovery_codes (
  factor_id uuid not null references auth.mfa_factors on delete cascade,
  -- HMAC-SHA256 with a key that is not in the database.
  code_hash bytea not null,
  used_at timestamptz,
  primary key (factor_id, code_hash)
);
comment on table auth.mfa_recovery_codes is 'A recovery code, as a hash.';
comment on column auth.mfa_recovery_codes.factor_id is 'The recovery codes that it belongs to.';
comment on column auth.mfa_recovery_codes.code_hash is 'A keyed hash of the code.';
comment on column auth.mfa_recovery_codes.used_at is 'When it was used.';

create table auth.webauthn_credentials (
  id uuid primary key,
  user_id uuid not null references auth.users on delete cascade,
  credential_id bytea not null constraint webauthn_credentials_credential_key unique,
  public_key bytea not null,
  -- Passkeys that are synchronized between devices always say 0.
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
comment on table auth.webauthn_credentials is 'A passkey.';
comment on column auth.webauthn_credentials.id is 'The passkey.';
comment on column auth.webauthn_credentials.user_id is 'The account.';
comment on column auth.webauthn_credentials.credential_id is 'Its id on the device.';
comment on column auth.webauthn_credentials.public_key is 'Its public key.';
comment on column auth.webauthn_credentials.sign_count is 'How often it was used, if the device counts.';
comment on column auth.webauthn_credentials.transports is 'How the device is connected, such as USB.';
comment on column auth.webauthn_credentials.aaguid is 'The model of the device or password manager.';
comment on column auth.webauthn_credentials.backup_eligible is 'Whether it can be synchronized between devices.';
comment on column auth.webauthn_credentials.backed_up is 'Whether it is synchronized.';
comment on column auth.webauthn_credentials.friendly_name is 'The name that the person gave it.';
comment on column auth.webauthn_credentials.created_at is 'When it was added.';
comment on column auth.webauthn_credentials.updated_at is 'When it last changed.';
comment on column auth.webauthn_credentials.last_used_at is 'When it was last used.';
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

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
comment on table auth.personal_tokens is 'Personal access tokens: programs that a person lets use deeb in their name.';
comment on column auth.personal_tokens.id is 'The token. It is no secret.';
comment on column auth.personal_tokens.user_id is 'The person who created it.';
comment on column auth.personal_tokens.name is 'The name that the person gave it.';
comment on column auth.personal_tokens.token_hash is 'SHA-256 of the token. The token itself is not stored.';
comment on column auth.personal_tokens.scopes is 'What it may do: switch, read, team, sign.';
comment on column auth.personal_tokens.created_at is 'When it was created.';
comment on column auth.personal_tokens.expires_at is 'When it expires, at most two years later.';
comment on column auth.personal_tokens.last_used_at is 'When it was last used, up to an hour late.';
create index personal_tokens_user_id_idx on auth.personal_tokens (user_id);
