-- Sign-in by the identity provider of a company (OIDC), and its directory (SCIM).

-- One row per issuer and client.
create table auth.sso_providers (
  id uuid primary key,
  key text not null constraint sso_providers_key_key unique
    constraint sso_providers_key_normal check (key ~ '^[a-z0-9.-]{1,253}$'),
  name text not null,
  issuer text not null,
  client_id text not null,
  -- Encrypted, with the context 'sso-secret:' and the id.
  client_secret bytea,
  from_environment boolean not null default false,
  trusts_email boolean not null default false,
  disabled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint sso_providers_client_key unique (issuer, client_id)
);
comment on table auth.sso_providers is 'The identity provider of a company.';
comment on column auth.sso_providers.id is 'The provider.';
comment on column auth.sso_providers.key is 'Its short name in addresses.';
comment on column auth.sso_providers.name is 'The name of the company on the sign-in button.';
comment on column auth.sso_providers.issuer is 'The address of the provider.';
comment on column auth.sso_providers.client_id is 'The id of deeb at the provider.';
comment on column auth.sso_providers.client_secret is 'The encrypted secret of deeb at the provider.';
comment on column auth.sso_providers.from_environment is 'Whether it comes from the settings.';
comment on column auth.sso_providers.trusts_email is 'Whether its addresses count as confirmed.';
comment on column auth.sso_providers.disabled_at is 'When it was switched off.';
comment on column auth.sso_providers.created_at is 'When it was added.';
comment on column auth.sso_providers.updated_at is 'When it last changed.';

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
  only_sso boolean not null default false,
  created_at timestamptz not null
);
comment on table auth.sso_domains is 'The email domains of a company with its own sign-in.';
comment on column auth.sso_domains.domain is 'The domain.';
comment on column auth.sso_domains.provider_id is 'The company.';
comment on column auth.sso_domains.only_sso is 'Whether its people sign in by the company only.';
comment on column auth.sso_domains.created_at is 'When it was added.';
create index sso_domains_provider_id_idx on auth.sso_domains (provider_id);

-- A domain may have no identity provider.
create table auth.second_factor_domains (
  domain text primary key constraint second_factor_domains_domain_normal check (domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'),
  -- In UTC.
  required_from date not null,
  created_at timestamptz not null
);
comment on table auth.second_factor_domains is 'The companies that require a second factor.';
comment on column auth.second_factor_domains.domain is 'The email domain.';
comment on column auth.second_factor_domains.required_from is 'From which day on.';
comment on column auth.second_factor_domains.created_at is 'When it was decided.';

-- A replaced token has an end.
create table auth.scim_tokens (
  id uuid primary key,
  provider_id uuid not null references auth.sso_providers on delete cascade,
  token_hash bytea not null constraint scim_tokens_token_key unique,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
);
comment on table auth.scim_tokens is 'The access of a company''s directory.';
comment on column auth.scim_tokens.id is 'The access.';
comment on column auth.scim_tokens.provider_id is 'The company.';
comment on column auth.scim_tokens.token_hash is 'A hash of its token.';
comment on column auth.scim_tokens.created_at is 'When it was made.';
comment on column auth.scim_tokens.expires_at is 'When it expires.';
comment on column auth.scim_tokens.last_used_at is 'When the directory last used it.';
create index scim_tokens_provider_id_idx on auth.scim_tokens (provider_id);

-- The people of the company, with or without an account.
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
comment on table auth.scim_users is 'What the directory of the company says about a person.';
comment on column auth.scim_users.id is 'The entry.';
comment on column auth.scim_users.provider_id is 'The company.';
comment on column auth.scim_users.user_name is 'The user name in the directory.';
comment on column auth.scim_users.user_name_key is 'The same in lower case.';
comment on column auth.scim_users.external_id is 'The id of the person in the directory.';
comment on column auth.scim_users.email is 'The address in the directory.';
comment on column auth.scim_users.given_name is 'The first name in the directory.';
comment on column auth.scim_users.family_name is 'The last name in the directory.';
comment on column auth.scim_users.display_name is 'The full name in the directory.';
comment on column auth.scim_users.department is 'The department in the directory; deeb only returns it to the directory.';
comment on column auth.scim_users.active is 'Whether the person may use deeb.';
comment on column auth.scim_users.user_id is 'The account of the person, if there is one.';
comment on column auth.scim_users.created_at is 'When the directory made the entry.';
comment on column auth.scim_users.updated_at is 'When it last changed.';
create index scim_users_external_id_idx on auth.scim_users (provider_id, external_id);
create index scim_users_email_idx on auth.scim_users (provider_id, email);
create index scim_users_user_id_idx on auth.scim_users (user_id);
