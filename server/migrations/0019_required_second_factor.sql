-- Companies that require a second factor of their people, by email domain. A domain may have no identity provider.
create table auth.second_factor_domains (
  domain text primary key constraint second_factor_domains_domain_normal check (domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'),
  -- The day (UTC) from which on it is required.
  required_from date not null,
  created_at timestamptz not null
);
