-- The schema of this version, to read: `npm run tables` writes it. The files in schema/ and migrations/ make it, and say why.

-- What happened to an account, such as sign-ins and changed passwords.
create table auth.audit_log (
  id bigint not null generated always as identity, -- The event.
  at timestamp with time zone not null, -- When it happened.
  action text not null, -- What happened.
  user_id uuid, -- The account.
  ip text, -- The IP address of the caller; the download leaves it out where it may be a stranger's.
  detail jsonb not null default '{}'::jsonb, -- More about the event, such as the name of a passkey.
  constraint audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_at_idx ON auth.audit_log USING btree (at);
CREATE INDEX audit_log_user_id_idx ON auth.audit_log USING btree (user_id);

-- A sign-in by the company that is not complete.
create table auth.flow_state (
  id uuid not null, -- The sign-in.
  provider_id uuid not null, -- The identity provider.
  auth_code_hash bytea not null, -- A hash of the code that completes it.
  code_challenge text not null, -- A value that only the browser that began can answer.
  linking_session_id uuid, -- The sign-in to which the company account is added.
  claims jsonb not null, -- What the provider said about the person, such as name and address.
  idp_refresh_token bytea, -- An encrypted token of the provider.
  proof_hash bytea, -- A hash of the six digits that were sent by email.
  proof_attempts integer not null default 0, -- How often somebody entered digits.
  created_at timestamp with time zone not null, -- When it began.
  constraint flow_state_pkey PRIMARY KEY (id),
  constraint flow_state_auth_code_key UNIQUE (auth_code_hash),
  constraint flow_state_linking_session_id_fkey FOREIGN KEY (linking_session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint flow_state_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES auth.sso_providers(id) ON DELETE CASCADE
);
CREATE INDEX flow_state_created_at_idx ON auth.flow_state USING btree (created_at);
CREATE INDEX flow_state_linking_session_id_idx ON auth.flow_state USING btree (linking_session_id);
CREATE INDEX flow_state_provider_id_idx ON auth.flow_state USING btree (provider_id);

-- An address that an account had before.
create table auth.former_addresses (
  user_id uuid not null, -- The account.
  email text not null, -- The former address.
  until timestamp with time zone not null, -- When it was given up.
  constraint former_addresses_pkey PRIMARY KEY (user_id, email),
  constraint former_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

-- Wrong guesses of passwords, which delay the next ones.
create unlogged table auth.guesses (
  key bytea not null, -- A hash, with a key that is not in the database, of what was guessed at and from where.
  misses integer not null, -- How many guesses in a row were wrong. A guess that is being checked counts as wrong.
  last_at timestamp with time zone not null, -- When the last one began.
  wait_until timestamp with time zone, -- Until when further ones are refused.
  constraint guesses_pkey PRIMARY KEY (key),
  constraint guesses_key_length CHECK (octet_length(key) = 32),
  constraint guesses_misses_not_negative CHECK (misses >= 0)
);
CREATE INDEX guesses_last_at ON auth.guesses USING btree (last_at);

-- A way in which an account signs in: by email, or by the company account.
create table auth.identities (
  id uuid not null, -- The way.
  user_id uuid not null, -- The account.
  provider text not null, -- Email, or the identity provider of the company.
  provider_id text not null, -- The id of the person there.
  identity_data jsonb not null, -- What the provider said about the person, such as name and address.
  last_sign_in_at timestamp with time zone, -- When it was last used.
  created_at timestamp with time zone not null, -- When it was added.
  updated_at timestamp with time zone not null, -- When it last changed.
  sso_provider_id uuid, -- The identity provider of the company.
  idp_refresh_token bytea, -- An encrypted token to ask the provider daily whether the person is still there.
  vouched_at timestamp with time zone, -- When the provider last confirmed the person.
  recheck_at timestamp with time zone, -- When the provider is asked next.
  constraint identities_pkey PRIMARY KEY (id),
  constraint identities_provider_key UNIQUE (provider, provider_id),
  constraint identities_sso_provider_id_fkey FOREIGN KEY (sso_provider_id) REFERENCES auth.sso_providers(id) ON DELETE CASCADE,
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint identities_sso_named CHECK (sso_provider_id IS NULL AND provider !~~ 'sso:%'::text OR provider = ('sso:'::text || sso_provider_id::text))
);
CREATE UNIQUE INDEX identities_one_per_provider ON auth.identities USING btree (user_id, provider);
CREATE INDEX identities_recheck_idx ON auth.identities USING btree (recheck_at) WHERE idp_refresh_token IS NOT NULL;
CREATE INDEX identities_sso_provider_id_idx ON auth.identities USING btree (sso_provider_id) WHERE sso_provider_id IS NOT NULL;
CREATE INDEX identities_user_id_idx ON auth.identities USING btree (user_id);

-- From where an account was used, to slow down guesses from elsewhere.
create table auth.known_addresses (
  user_id uuid not null, -- The account.
  ip_key text not null, -- The IP address, or the network of an IPv6 address.
  last_seen timestamp with time zone not null, -- When it was last used from there.
  constraint known_addresses_pkey PRIMARY KEY (user_id, ip_key),
  constraint known_addresses_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE
);

-- A question for a code that is not answered yet.
create table auth.mfa_challenges (
  id uuid not null, -- The question.
  factor_id uuid not null, -- The second factor.
  ip text, -- The IP address of the device.
  attempts integer not null default 0, -- The number of wrong codes.
  created_at timestamp with time zone not null, -- When it was asked.
  constraint mfa_challenges_pkey PRIMARY KEY (id),
  constraint mfa_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE CASCADE
);
CREATE INDEX mfa_challenges_factor_id_idx ON auth.mfa_challenges USING btree (factor_id);

-- An authenticator app, or the recovery codes as a whole.
create table auth.mfa_factors (
  id uuid not null, -- The factor.
  user_id uuid not null, -- The account.
  friendly_name text not null default ''::text, -- The name that the person gave it.
  factor_type text not null, -- An app, or recovery codes.
  status text not null, -- Whether it was confirmed by a first code.
  secret bytea, -- The encrypted secret of the app.
  last_step bigint, -- The time step of the last code, so that each code counts once.
  phone text, -- Always empty; a part of the format of the account service.
  created_at timestamp with time zone not null, -- When it was added.
  updated_at timestamp with time zone not null, -- When it last changed.
  constraint mfa_factors_pkey PRIMARY KEY (id),
  constraint mfa_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint mfa_factors_status_known CHECK (status = ANY (ARRAY['unverified'::text, 'verified'::text])),
  constraint mfa_factors_type_known CHECK (factor_type = ANY (ARRAY['totp'::text, 'phone'::text, 'recovery_code'::text]))
);
CREATE UNIQUE INDEX mfa_factors_name_key ON auth.mfa_factors USING btree (user_id, friendly_name) WHERE friendly_name <> ''::text;
CREATE UNIQUE INDEX mfa_factors_one_recovery ON auth.mfa_factors USING btree (user_id) WHERE factor_type = 'recovery_code'::text;
CREATE INDEX mfa_factors_user_id_idx ON auth.mfa_factors USING btree (user_id);

-- A recovery code, as a hash.
create table auth.mfa_recovery_codes (
  factor_id uuid not null, -- The recovery codes that it belongs to.
  code_hash bytea not null, -- A keyed hash of the code.
  used_at timestamp with time zone, -- When it was used.
  constraint mfa_recovery_codes_pkey PRIMARY KEY (factor_id, code_hash),
  constraint mfa_recovery_codes_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES auth.mfa_factors(id) ON DELETE CASCADE
);

-- A link by email to reset the password or change the address, as a hash.
create table auth.one_time_tokens (
  id uuid not null, -- The link.
  user_id uuid not null, -- The account.
  token_type text not null, -- What it is for.
  token_hash bytea not null, -- A hash of its secret.
  relates_to text not null, -- The address that it was made for.
  created_at timestamp with time zone not null, -- When it was made.
  expires_at timestamp with time zone not null, -- When it expires.
  by_admin boolean not null default false, -- Whether the administrator made it.
  constraint one_time_tokens_pkey PRIMARY KEY (id),
  constraint one_time_tokens_one_per_type UNIQUE (user_id, token_type),
  constraint one_time_tokens_token_key UNIQUE (token_hash),
  constraint one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint one_time_tokens_type_known CHECK (token_type = ANY (ARRAY['recovery'::text, 'email_change'::text]))
);

-- An email to send, and whether it was sent.
create table auth.outbox (
  id uuid not null, -- The email.
  kind text not null, -- What it is about.
  recipient text not null, -- The address of the recipient.
  subject text not null, -- Its subject.
  body text not null, -- Its text; removed once it is sent.
  attempts integer not null default 0, -- How often sending was tried.
  last_error text, -- What the mail server answered to the last attempt.
  created_at timestamp with time zone not null, -- When it was written.
  next_try_at timestamp with time zone not null, -- When it is tried next.
  sent_at timestamp with time zone, -- When it was sent.
  asked_by text, -- The account or network that caused it, for a limit.
  unsubscribe_url text, -- The link that stops such emails; removed once it is sent.
  constraint outbox_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_due_idx ON auth.outbox USING btree (next_try_at) WHERE sent_at IS NULL;
CREATE INDEX outbox_kind_idx ON auth.outbox USING btree (kind, created_at);
CREATE INDEX outbox_recipient_idx ON auth.outbox USING btree (recipient, created_at);

-- A sign-up whose address is not confirmed.
create table auth.pending_signups (
  id uuid not null, -- The sign-up; becomes the id of the account.
  email text not null, -- The address that was entered.
  password_hash text not null, -- A hash of the password that was entered.
  user_meta jsonb not null default '{}'::jsonb, -- What the client sent with it, such as the link of a circle.
  token_hash bytea not null, -- A hash of the secret of its link.
  attempts integer not null default 0, -- The number of wrong passwords at the confirmation.
  created_at timestamp with time zone not null, -- When somebody signed up.
  expires_at timestamp with time zone not null, -- When its link expires.
  caller_network text, -- The network of the IP address that signed up.
  browser_hash bytea, -- A hash of the random secret of the browser that signed up.
  constraint pending_signups_pkey PRIMARY KEY (id),
  constraint pending_signups_one_per_caller UNIQUE (email, caller_network),
  constraint pending_signups_token_key UNIQUE (token_hash),
  constraint pending_signups_email_normal CHECK (email = lower(email) AND length(email) <= 254)
);
CREATE INDEX pending_signups_email_idx ON auth.pending_signups USING btree (email, created_at DESC);
CREATE INDEX pending_signups_hash_cost_idx ON auth.pending_signups USING btree (split_part(password_hash, '$'::text, 4)) WHERE password_hash ~~ '$argon2id$%'::text;

-- Personal access tokens: programs that a person lets use deeb in their name.
create table auth.personal_tokens (
  id uuid not null, -- The token. It is no secret.
  user_id uuid not null, -- The person who created it.
  name text not null, -- The name that the person gave it.
  token_hash bytea not null, -- SHA-256 of the token. The token itself is not stored.
  scopes text[] not null, -- What it may do: switch, read, team, sign.
  created_at timestamp with time zone not null, -- When it was created.
  expires_at timestamp with time zone not null, -- When it expires, at most two years later.
  last_used_at timestamp with time zone, -- When it was last used, up to an hour late.
  constraint personal_tokens_pkey PRIMARY KEY (id),
  constraint personal_tokens_token_hash_key UNIQUE (token_hash),
  constraint personal_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint personal_tokens_check CHECK (expires_at > created_at AND expires_at <= (created_at + '731 days'::interval)),
  constraint personal_tokens_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  constraint personal_tokens_scopes_check CHECK (scopes <@ ARRAY['switch'::text, 'read'::text, 'team'::text, 'sign'::text]),
  constraint personal_tokens_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX personal_tokens_user_id_idx ON auth.personal_tokens USING btree (user_id);

-- The access of a company's directory.
create table auth.scim_tokens (
  id uuid not null, -- The access.
  provider_id uuid not null, -- The company.
  token_hash bytea not null, -- A hash of its token.
  created_at timestamp with time zone not null, -- When it was made.
  expires_at timestamp with time zone, -- When it expires.
  last_used_at timestamp with time zone, -- When the directory last used it.
  constraint scim_tokens_pkey PRIMARY KEY (id),
  constraint scim_tokens_token_key UNIQUE (token_hash),
  constraint scim_tokens_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES auth.sso_providers(id) ON DELETE CASCADE
);
CREATE INDEX scim_tokens_provider_id_idx ON auth.scim_tokens USING btree (provider_id);

-- What the directory of the company says about a person.
create table auth.scim_users (
  id uuid not null, -- The entry.
  provider_id uuid not null, -- The company.
  user_name text not null, -- The user name in the directory.
  user_name_key text generated always as (lower(user_name)) stored, -- The same in lower case.
  external_id text, -- The id of the person in the directory.
  email text, -- The address in the directory.
  given_name text, -- The first name in the directory.
  family_name text, -- The last name in the directory.
  display_name text, -- The full name in the directory.
  department text, -- The department in the directory; deeb only returns it to the directory.
  active boolean not null, -- Whether the person may use deeb.
  user_id uuid, -- The account of the person, if there is one.
  created_at timestamp with time zone not null, -- When the directory made the entry.
  updated_at timestamp with time zone not null, -- When it last changed.
  constraint scim_users_pkey PRIMARY KEY (id),
  constraint scim_users_one_per_user UNIQUE (provider_id, user_id),
  constraint scim_users_user_name_key UNIQUE (provider_id, user_name_key),
  constraint scim_users_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES auth.sso_providers(id) ON DELETE CASCADE,
  constraint scim_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE SET NULL
);
CREATE INDEX scim_users_email_idx ON auth.scim_users USING btree (provider_id, email);
CREATE INDEX scim_users_external_id_idx ON auth.scim_users USING btree (provider_id, external_id);
CREATE INDEX scim_users_user_id_idx ON auth.scim_users USING btree (user_id);

-- The companies that require a second factor.
create table auth.second_factor_domains (
  domain text not null, -- The email domain.
  required_from date not null, -- From which day on.
  created_at timestamp with time zone not null, -- When it was decided.
  constraint second_factor_domains_pkey PRIMARY KEY (domain),
  constraint second_factor_domains_domain_normal CHECK (domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'::text)
);

-- One sign-in of one browser or device.
create table auth.sessions (
  id uuid not null, -- The sign-in.
  user_id uuid not null, -- The account.
  aal text not null default 'aal1'::text, -- Whether a second factor was used.
  amr jsonb not null, -- How and when the person proved who they are.
  factor_id uuid, -- The second factor that was used.
  refresh_counter integer not null default 0, -- How often the sign-in was renewed.
  created_at timestamp with time zone not null, -- When the person signed in.
  refreshed_at timestamp with time zone not null, -- When the device last renewed it.
  not_after timestamp with time zone not null, -- When it ends at the latest.
  user_agent text, -- The name of browser and system that the device sent.
  ip text, -- The IP address of the sign-in.
  binding bytea, -- A hash of the cookie that binds it to its browser.
  proven_at timestamp with time zone, -- When the person last proved who they are.
  failed_codes integer not null default 0, -- The number of wrong codes in this sign-in.
  sso_provider_id uuid, -- The identity provider that opened it.
  sso_sid text, -- The id of this sign-in at the provider.
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_sso_provider_id_fkey FOREIGN KEY (sso_provider_id) REFERENCES auth.sso_providers(id) ON DELETE CASCADE,
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint sessions_aal_known CHECK (aal = ANY (ARRAY['aal1'::text, 'aal2'::text]))
);
CREATE INDEX sessions_sso_idx ON auth.sessions USING btree (sso_provider_id, sso_sid) WHERE sso_provider_id IS NOT NULL;
CREATE INDEX sessions_user_id_idx ON auth.sessions USING btree (user_id);

-- Hashes of one-time answers, and of knocks that count against a limit, so that none counts twice.
create table auth.spent_tokens (
  hash bytea not null, -- The hash.
  expires_at timestamp with time zone not null, -- When it is forgotten.
  constraint spent_tokens_pkey PRIMARY KEY (hash)
);
CREATE INDEX spent_tokens_expires_at_idx ON auth.spent_tokens USING btree (expires_at);

-- The email domains of a company with its own sign-in.
create table auth.sso_domains (
  domain text not null, -- The domain.
  provider_id uuid not null, -- The company.
  only_sso boolean not null default false, -- Whether its people sign in by the company only.
  created_at timestamp with time zone not null, -- When it was added.
  constraint sso_domains_pkey PRIMARY KEY (domain),
  constraint sso_domains_provider_id_fkey FOREIGN KEY (provider_id) REFERENCES auth.sso_providers(id) ON DELETE CASCADE,
  constraint sso_domains_domain_normal CHECK (domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$'::text)
);
CREATE INDEX sso_domains_provider_id_idx ON auth.sso_domains USING btree (provider_id);

-- The identity provider of a company.
create table auth.sso_providers (
  id uuid not null, -- The provider.
  key text not null, -- Its short name in addresses.
  name text not null, -- The name of the company on the sign-in button.
  issuer text not null, -- The address of the provider.
  client_id text not null, -- The id of deeb at the provider.
  client_secret bytea, -- The encrypted secret of deeb at the provider.
  from_environment boolean not null default false, -- Whether it comes from the settings.
  trusts_email boolean not null default false, -- Whether its addresses count as confirmed.
  disabled_at timestamp with time zone, -- When it was switched off.
  created_at timestamp with time zone not null, -- When it was added.
  updated_at timestamp with time zone not null, -- When it last changed.
  constraint sso_providers_pkey PRIMARY KEY (id),
  constraint sso_providers_client_key UNIQUE (issuer, client_id),
  constraint sso_providers_key_key UNIQUE (key),
  constraint sso_providers_key_normal CHECK (key ~ '^[a-z0-9.-]{1,253}$'::text)
);
CREATE TRIGGER sso_providers_keep_issuer BEFORE UPDATE ON auth.sso_providers FOR EACH ROW EXECUTE FUNCTION auth.keep_issuer();

-- An account.
create table auth.users (
  id uuid not null, -- The account.
  email text not null, -- The confirmed email address.
  email_domain text generated always as (split_part(email, '@'::text, 2)) stored, -- The part of the address after the @.
  encrypted_password text, -- A hash of the password (argon2id); empty for an account without one.
  email_confirmed_at timestamp with time zone not null, -- When the address was confirmed.
  raw_app_meta_data jsonb not null default '{"provider": "email", "providers": ["email"]}'::jsonb, -- By which ways the account signs in.
  raw_user_meta_data jsonb not null default '{}'::jsonb, -- What a client stored with the account; the web app stores nothing.
  last_sign_in_at timestamp with time zone, -- When somebody last signed in.
  banned_until timestamp with time zone, -- Until when the administrator blocks the account.
  failed_attempts integer not null default 0, -- The number of wrong passwords, which halves each day.
  created_at timestamp with time zone not null, -- When the account was created.
  updated_at timestamp with time zone not null, -- When it last changed.
  failed_attempts_on date not null default CURRENT_DATE, -- The day on which that number was last computed.
  failed_codes integer not null default 0, -- The number of wrong codes of a second factor.
  last_failed_code_at timestamp with time zone, -- When the last wrong code was entered.
  deactivated_at timestamp with time zone, -- When the directory of the company switched the account off.
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_email_normal CHECK (email = lower(email) AND length(email) <= 254)
);
CREATE INDEX users_deactivated_idx ON auth.users USING btree (email_domain) WHERE deactivated_at IS NOT NULL;
CREATE INDEX users_email_domain_idx ON auth.users USING btree (email_domain);
CREATE INDEX users_hash_cost_idx ON auth.users USING btree (split_part(encrypted_password, '$'::text, 4)) WHERE encrypted_password ~~ '$argon2id$%'::text;
CREATE TRIGGER users_agreements_ended AFTER UPDATE OF banned_until, deactivated_at ON auth.users FOR EACH ROW WHEN (new.banned_until IS NOT NULL OR new.deactivated_at IS NOT NULL) EXECUTE FUNCTION end_agreements_of_account();
CREATE TRIGGER users_status_links_ended AFTER UPDATE OF banned_until, deactivated_at ON auth.users FOR EACH ROW WHEN (new.deactivated_at IS NOT NULL AND old.deactivated_at IS NULL OR new.banned_until IS NOT NULL AND new.banned_until IS DISTINCT FROM old.banned_until) EXECUTE FUNCTION end_status_links_of_leaver();

-- A passkey.
create table auth.webauthn_credentials (
  id uuid not null, -- The passkey.
  user_id uuid not null, -- The account.
  credential_id bytea not null, -- Its id on the device.
  public_key bytea not null, -- Its public key.
  sign_count bigint not null, -- How often it was used, if the device counts.
  transports text[] not null default '{}'::text[], -- How the device is connected, such as USB.
  aaguid uuid, -- The model of the device or password manager.
  backup_eligible boolean not null, -- Whether it can be synchronized between devices.
  backed_up boolean not null, -- Whether it is synchronized.
  friendly_name text not null, -- The name that the person gave it.
  created_at timestamp with time zone not null, -- When it was added.
  updated_at timestamp with time zone not null, -- When it last changed.
  last_used_at timestamp with time zone, -- When it was last used.
  constraint webauthn_credentials_pkey PRIMARY KEY (id),
  constraint webauthn_credentials_credential_key UNIQUE (credential_id),
  constraint webauthn_credentials_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint webauthn_credentials_name_length CHECK (char_length(friendly_name) >= 1 AND char_length(friendly_name) <= 120)
);
CREATE INDEX webauthn_credentials_user_id_idx ON auth.webauthn_credentials USING btree (user_id);

-- The secret link by which calendars read the ended focus sessions of a person.
create table calendar_links (
  user_id uuid not null, -- The person.
  token_hash bytea not null, -- The SHA-256 hash of the secret in the link.
  created_at timestamp with time zone not null, -- When the link was created.
  last_read_at timestamp with time zone, -- When a calendar last read the link, accurate to an hour.
  constraint calendar_links_pkey PRIMARY KEY (user_id),
  constraint calendar_links_token_hash_key UNIQUE (token_hash),
  constraint calendar_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint calendar_links_token_hash_length CHECK (octet_length(token_hash) = 32)
);

-- A code on the case of earplugs. A tap on it switches deeb mode of its owner.
create table cases (
  id uuid not null, -- The code. It is no secret.
  user_id uuid, -- Its owner; nobody while a printed code of a company is unclaimed.
  company_domain text, -- The company whose administrator printed it; none if its owner made it.
  code_hash bytea not null, -- SHA-256 of the code. The code itself is not stored.
  since timestamp with time zone not null, -- When it was made, or claimed.
  constraint cases_pkey PRIMARY KEY (id),
  constraint cases_code_key UNIQUE (code_hash),
  constraint cases_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint cases_code_hash_check CHECK (octet_length(code_hash) = 32),
  constraint cases_of_company CHECK (company_domain IS NOT NULL OR user_id IS NOT NULL)
);
CREATE INDEX cases_user_id_idx ON cases USING btree (user_id);

-- Who is in a circle.
create table circle_members (
  circle_id uuid not null, -- The circle.
  user_id uuid not null, -- The person.
  company_domain text not null, -- Their company, so that no stranger can be in it.
  joined_at timestamp with time zone not null, -- When they joined.
  visible_from timestamp with time zone not null, -- From when on they and the others see each other.
  constraint circle_members_pkey PRIMARY KEY (circle_id, user_id),
  constraint circle_members_circle_fkey FOREIGN KEY (circle_id, company_domain) REFERENCES circles(id, company_domain) ON DELETE CASCADE,
  constraint circle_members_user_fkey FOREIGN KEY (user_id, company_domain) REFERENCES profiles(id, company_domain) ON DELETE CASCADE,
  constraint circle_members_visible_after_joining CHECK (visible_from >= joined_at)
);
CREATE INDEX circle_members_user_idx ON circle_members USING btree (user_id);
CREATE TRIGGER circle_members_last_left AFTER DELETE ON circle_members FOR EACH ROW EXECUTE FUNCTION delete_empty_circle();
CREATE TRIGGER circle_members_wishes_forgotten AFTER DELETE ON circle_members FOR EACH ROW EXECUTE FUNCTION forget_wishes_of_pair();

-- A group of colleagues who see each other's deeb mode.
create table circles (
  id uuid not null, -- The circle.
  company_domain text not null, -- Its company.
  name text not null, -- Its name.
  invite text, -- The secret part of the link by which people join.
  created_at timestamp with time zone not null, -- When it was created.
  constraint circles_pkey PRIMARY KEY (id),
  constraint circles_company_key UNIQUE (id, company_domain),
  constraint circles_invite_key UNIQUE (invite),
  constraint circles_name_length CHECK (char_length(name) >= 1 AND char_length(name) <= 40)
);

-- A press of a button on a public page.
create table click_analytics (
  id uuid not null, -- The press.
  button_name text not null, -- The button.
  page text not null, -- The page.
  user_session text not null, -- A random number that is made for this press.
  created_at timestamp with time zone not null, -- When it was pressed.
  constraint click_analytics_pkey PRIMARY KEY (id)
);

-- From when on the weeks of a company are counted.
create table company_reports (
  company_domain text not null, -- The company.
  first_week text not null, -- The Monday of the first counted week.
  constraint company_reports_pkey PRIMARY KEY (company_domain),
  constraint company_reports_monday CHECK (first_week = monday_of(first_week))
);

-- A week of the company report: sums of the whole company, with noise.
create table company_weeks (
  company_domain text not null, -- The company.
  week_start text not null, -- The Monday of the week.
  members integer not null, -- The number of confirmed accounts, without noise.
  people integer not null, -- About how many people had at least one minute.
  minutes integer not null, -- About how many minutes they had together, at most 30 hours of each person.
  goals integer, -- About how many people reached their weekly goal.
  times integer[] not null, -- About how the time is spread over the day, Monday to Friday.
  days integer[] not null, -- About how the time is spread over the week.
  blur integer not null, -- The mean size of the noise, in people.
  counted_at timestamp with time zone not null, -- When the week was counted, once.
  constraint company_weeks_pkey PRIMARY KEY (company_domain, week_start),
  constraint company_weeks_company_domain_fkey FOREIGN KEY (company_domain) REFERENCES company_reports(company_domain),
  constraint company_weeks_at_least_ten CHECK (members >= 10),
  constraint company_weeks_blur CHECK (blur >= 4 AND blur <= 50),
  constraint company_weeks_days CHECK (array_length(days, 1) = 6),
  constraint company_weeks_finished CHECK (counted_at >= ((week_start::date + 10)::timestamp without time zone AT TIME ZONE 'UTC'::text)),
  constraint company_weeks_monday CHECK (week_start = monday_of(week_start)),
  constraint company_weeks_times CHECK (array_length(times, 1) = 7)
);
CREATE TRIGGER company_weeks_frozen BEFORE DELETE OR UPDATE ON company_weeks FOR EACH ROW EXECUTE FUNCTION never_again();
CREATE TRIGGER company_weeks_kept BEFORE TRUNCATE ON company_weeks FOR EACH STATEMENT EXECUTE FUNCTION never_again();

-- Earlier goals, so that past days keep theirs.
create table daily_goal_history (
  user_id uuid not null, -- The person.
  day_of_week integer not null, -- The day of the week, 0 for Sunday.
  saved_at timestamp with time zone not null, -- When it was saved.
  goal_minutes integer not null, -- The goal in minutes.
  saved_on date not null, -- The person's local date of the save.
  constraint daily_goal_history_pkey PRIMARY KEY (user_id, day_of_week, saved_on),
  constraint daily_goal_history_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
CREATE INDEX daily_goal_history_saved_at_idx ON daily_goal_history USING btree (user_id, day_of_week, saved_at);

-- The goal for each day of the week.
create table daily_goals (
  user_id uuid not null, -- The person.
  day_of_week integer not null, -- The day of the week, 0 for Sunday.
  goal_minutes integer not null, -- The goal in minutes.
  saved_at timestamp with time zone not null, -- When it was saved.
  constraint daily_goals_pkey PRIMARY KEY (user_id, day_of_week),
  constraint daily_goals_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint daily_goals_day_of_week CHECK (day_of_week >= 0 AND day_of_week <= 6),
  constraint daily_goals_goal_minutes CHECK (goal_minutes >= 0 AND goal_minutes <= 1440)
);

-- How many sessions began on a day, for a limit against misuse.
create table daily_start_counts (
  user_id uuid not null, -- The person.
  date text not null, -- The local date.
  starts integer not null, -- The number of sessions that began.
  constraint daily_start_counts_pkey PRIMARY KEY (user_id, date),
  constraint daily_start_counts_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint daily_start_counts_max CHECK (starts <= 300)
);

-- The focus time of a day.
create table daily_stats (
  user_id uuid not null, -- The person.
  date text not null, -- The local date.
  total_seconds integer not null, -- The focus time in seconds.
  total_minutes integer not null generated always as (total_seconds / 60) stored, -- The same in whole minutes.
  constraint daily_stats_pkey PRIMARY KEY (user_id, date),
  constraint daily_stats_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint daily_stats_date_form CHECK (date ~ '^\d{4}-\d{2}-\d{2}$'::text),
  constraint daily_stats_not_negative CHECK (total_seconds >= 0)
);
CREATE TRIGGER daily_stats_counted AFTER INSERT OR UPDATE ON daily_stats FOR EACH ROW EXECUTE FUNCTION count_day();

-- A second id of a session, from a device that started it again.
create table deeb_session_aliases (
  user_id uuid not null, -- The person.
  alias uuid not null, -- The second id.
  session_id uuid not null, -- The session.
  constraint deeb_session_aliases_pkey PRIMARY KEY (user_id, alias),
  constraint deeb_session_aliases_user_id_session_id_fkey FOREIGN KEY (user_id, session_id) REFERENCES deeb_sessions(user_id, id) ON DELETE CASCADE
);
CREATE CONSTRAINT TRIGGER deeb_session_aliases_counted AFTER INSERT ON deeb_session_aliases DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_alias();

-- A focus session: the time between switching on and off.
create table deeb_sessions (
  id uuid not null, -- The session.
  user_id uuid not null, -- The person.
  start_time timestamp(0) with time zone not null, -- When it began.
  end_time timestamp(0) with time zone, -- When it ended; empty while it is open.
  is_active boolean not null generated always as (end_time IS NULL) stored, -- Whether it is open.
  capped boolean not null default false, -- Whether the server ended it after 16 hours.
  time_zone text not null, -- The time zone of the device at its start.
  start_date text not null, -- The local date of its start.
  next_date text not null, -- The local date after that.
  next_date_starts_at timestamp(0) with time zone not null, -- When that next date begins.
  cap_answered boolean not null default false, -- Whether the person has said how long a forgotten session really was.
  discarded_at timestamp with time zone, -- When the person deleted it; empty otherwise.
  last_touch_at timestamp(0) with time zone, -- The last press or key in the app on any device of the person, to about 15 minutes.
  still_on_answers text[], -- Which of the questions "Still in deeb mode?" the person has answered.
  reminded_at timestamp(0) with time zone, -- When a notification reminded the person of it.
  target_minutes smallint, -- How long the person means the open session to be; removed when it ends.
  corrections integer not null default 0, -- How often it was changed, deleted or restored after it had ended.
  interruptions smallint not null default 0, -- How often the person was interrupted, by their own count.
  constraint deeb_sessions_pkey PRIMARY KEY (user_id, id),
  constraint deeb_sessions_never_overlap EXCLUDE USING gist (user_id WITH =, tstzrange(start_time, end_time) WITH &&),
  constraint deeb_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint deeb_sessions_at_most_16_hours CHECK (end_time <= (start_time + '16:00:00'::interval)),
  constraint deeb_sessions_boundary_ahead CHECK (next_date_starts_at > start_time AND next_date > start_date),
  constraint deeb_sessions_forward CHECK (end_time >= start_time),
  constraint deeb_sessions_interruptions_range CHECK (interruptions >= 0 AND interruptions <= 99),
  constraint deeb_sessions_next_date_form CHECK (next_date ~ '^\d{4}-\d{2}-\d{2}$'::text),
  constraint deeb_sessions_start_date_form CHECK (start_date ~ '^\d{4}-\d{2}-\d{2}$'::text),
  constraint deeb_sessions_target_only_open CHECK (target_minutes IS NULL OR end_time IS NULL),
  constraint deeb_sessions_target_range CHECK (target_minutes >= 5 AND target_minutes <= 480)
);
CREATE INDEX deeb_sessions_discarded_idx ON deeb_sessions USING btree (discarded_at) WHERE discarded_at IS NOT NULL;
CREATE INDEX deeb_sessions_forgotten_idx ON deeb_sessions USING btree (user_id, start_time) WHERE capped AND NOT cap_answered;
CREATE INDEX deeb_sessions_history_idx ON deeb_sessions USING btree (user_id, start_time);
CREATE INDEX deeb_sessions_interrupted_idx ON deeb_sessions USING btree (user_id) WHERE interruptions > 0;
CREATE UNIQUE INDEX deeb_sessions_one_open ON deeb_sessions USING btree (user_id) WHERE is_active;
CREATE INDEX deeb_sessions_open_since_idx ON deeb_sessions USING btree (start_time) WHERE end_time IS NULL;
CREATE TRIGGER deeb_sessions_correction_counted BEFORE UPDATE ON deeb_sessions FOR EACH ROW WHEN (old.end_time IS NOT NULL AND (old.start_time IS DISTINCT FROM new.start_time OR old.end_time IS DISTINCT FROM new.end_time OR (old.discarded_at IS NULL) IS DISTINCT FROM (new.discarded_at IS NULL))) EXECUTE FUNCTION count_correction();
CREATE CONSTRAINT TRIGGER deeb_sessions_counted AFTER INSERT ON deeb_sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_session();
CREATE TRIGGER deeb_sessions_target_forgotten BEFORE UPDATE ON deeb_sessions FOR EACH ROW WHEN (new.target_minutes IS NOT NULL AND new.end_time IS NOT NULL) EXECUTE FUNCTION forget_target();
CREATE TRIGGER deeb_sessions_touch_forgotten BEFORE UPDATE ON deeb_sessions FOR EACH ROW WHEN (new.last_touch_at IS NOT NULL AND new.end_time IS NOT NULL AND (NOT new.capped OR new.cap_answered)) EXECUTE FUNCTION forget_touch();

-- An address that a visitor left on a public page.
create table email_leads (
  id uuid not null, -- The entry.
  email text not null, -- The address.
  source text not null, -- The list.
  created_at timestamp with time zone not null, -- When it was left.
  purpose text, -- What the visitor asked for.
  constraint email_leads_pkey PRIMARY KEY (id),
  constraint email_leads_once UNIQUE (email, source),
  constraint email_leads_email_normal CHECK (email = lower(email) AND length(email) <= 254),
  constraint email_leads_purpose_known CHECK (purpose = ANY (ARRAY['info_sheet'::text, 'demo'::text, 'pilot'::text, 'sales'::text, 'newsletter'::text, 'privacy'::text, 'terms'::text, 'imprint'::text, 'contact'::text, 'support'::text])),
  constraint email_leads_source_known CHECK (source = ANY (ARRAY['coming_soon_page'::text, 'main_coming_soon'::text]))
);

-- All focus time, for the average week.
create table focus_totals (
  user_id uuid not null, -- The person.
  total_minutes integer not null, -- The sum of all minutes.
  active_weeks integer not null, -- The number of weeks with at least one minute.
  constraint focus_totals_pkey PRIMARY KEY (user_id),
  constraint focus_totals_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);

-- A wish to be notified when a colleague is free.
create table free_alerts (
  watcher_id uuid not null, -- The person with the wish; the other one does not see the row.
  target_id uuid not null, -- The colleague.
  asked_at timestamp with time zone not null, -- When it was asked for.
  due_at timestamp with time zone, -- When the colleague was found to be free.
  constraint free_alerts_pkey PRIMARY KEY (watcher_id, target_id),
  constraint free_alerts_target_id_fkey FOREIGN KEY (target_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint free_alerts_watcher_id_fkey FOREIGN KEY (watcher_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint free_alerts_not_oneself CHECK (watcher_id <> target_id)
);
CREATE INDEX free_alerts_target_id_idx ON free_alerts USING btree (target_id);

-- Whom a person hides from in all circles.
create table hidden_people (
  user_id uuid not null, -- The person who hides; the other one does not see the row.
  hidden_from uuid not null, -- The person from whom they hide.
  created_at timestamp with time zone not null, -- Since when.
  constraint hidden_people_pkey PRIMARY KEY (user_id, hidden_from),
  constraint hidden_people_hidden_from_fkey FOREIGN KEY (hidden_from) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint hidden_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint hidden_people_not_oneself CHECK (user_id <> hidden_from)
);
CREATE INDEX hidden_people_from_idx ON hidden_people USING btree (hidden_from);
CREATE TRIGGER hidden_people_agreements_ended AFTER INSERT ON hidden_people FOR EACH ROW EXECUTE FUNCTION end_agreements_of_hiding();
CREATE TRIGGER hidden_people_wishes_forgotten AFTER INSERT ON hidden_people FOR EACH ROW EXECUTE FUNCTION forget_wishes_of_pair();

-- A press of "interrupted?", so that a repeated one counts once.
create table interruption_presses (
  user_id uuid not null, -- The person.
  id uuid not null, -- A random number that the device made for the press.
  session_id uuid not null, -- The session.
  counts boolean not null, -- Whether it counts; not after its undo.
  constraint interruption_presses_pkey PRIMARY KEY (user_id, id),
  constraint interruption_presses_user_id_session_id_fkey FOREIGN KEY (user_id, session_id) REFERENCES deeb_sessions(user_id, id) ON DELETE CASCADE
);
CREATE INDEX interruption_presses_session_idx ON interruption_presses USING btree (user_id, session_id);

-- The connections and circles whose people may knock at a person. Nobody else can read it.
create table knock_allowances (
  user_id uuid not null, -- The person.
  id uuid not null, -- The connection or circle.
  connection_id uuid, -- The same, if it is a connection.
  circle_id uuid, -- The same, if it is a circle.
  constraint knock_allowances_pkey PRIMARY KEY (user_id, id),
  constraint knock_allowances_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES team_connections(id) ON DELETE CASCADE,
  constraint knock_allowances_member_fkey FOREIGN KEY (circle_id, user_id) REFERENCES circle_members(circle_id, user_id) ON DELETE CASCADE,
  constraint knock_allowances_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint knock_allowances_of_one CHECK (num_nonnulls(connection_id, circle_id) = 1 AND (id = connection_id OR id = circle_id))
);
CREATE INDEX knock_allowances_circle_idx ON knock_allowances USING btree (circle_id);
CREATE INDEX knock_allowances_connection_idx ON knock_allowances USING btree (connection_id);

-- It can't wait: somebody interrupts a session of somebody who allows it.
create table knocks (
  id uuid not null, -- The knock.
  sender_id uuid not null, -- Who knocks.
  receiver_id uuid not null, -- At whom.
  session_id uuid not null, -- The session of the receiver.
  asked_at timestamp with time zone not null, -- When.
  answer text, -- When the receiver comes: now, soon or later. Empty until they answer.
  constraint knocks_pkey PRIMARY KEY (id),
  constraint knocks_pair_key UNIQUE (sender_id, receiver_id),
  constraint knocks_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint knocks_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint knocks_answer_known CHECK (answer = ANY (ARRAY['now'::text, 'soon'::text, 'later'::text]))
);
CREATE INDEX knocks_asked_at_idx ON knocks USING btree (asked_at);
CREATE INDEX knocks_receiver_idx ON knocks USING btree (receiver_id);

-- The secrets of the server that this database belongs to, so that no server starts with another one.
create table known_secrets (
  fingerprint bytea not null, -- What is derived from the secret, to recognize it. It does not tell the secret.
  first_used_at timestamp with time zone not null, -- When a server started with it first.
  constraint known_secrets_pkey PRIMARY KEY (fingerprint)
);

-- A person, as colleagues know them.
create table profiles (
  id uuid not null, -- The person; the same id as that of the account.
  username text, -- The name that the person chose in deeb.
  username_key text, -- The username in the form in which names are compared.
  first_name text, -- The first name, from the email address or the company account.
  last_name text, -- The last name, from the email address or the company account.
  email text not null, -- The confirmed email address.
  company_domain text, -- The company, as the domain of the email address.
  first_name_key text collate "C", -- The first name in the form in which names are compared.
  last_name_key text collate "C", -- The last name in the form in which names are compared.
  search_text text collate "C" not null generated always as ((((((COALESCE(first_name_key, ''::text) || ' '::text) || COALESCE(last_name_key, ''::text)) || ' '::text) || COALESCE(username_key, ''::text)) || ' '::text) || upper(email COLLATE "C")) stored, -- Names and address, as the search for colleagues reads them.
  search_words text collate "C" not null generated always as (((((((((' '::text || COALESCE(first_name_key, ''::text)) || ' '::text) || COALESCE(last_name_key, ''::text)) || ' '::text) || COALESCE(username_key, ''::text)) || ' '::text) || upper(split_part(email, '@'::text, 1) COLLATE "C")) || ' '::text) || translate((((((COALESCE(first_name_key, ''::text) || ' '::text) || COALESCE(last_name_key, ''::text)) || ' '::text) || COALESCE(username_key, ''::text)) || ' '::text) || upper(split_part(email, '@'::text, 1) COLLATE "C"), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~'::text || '               　'::text, repeat(' '::text, 48))) stored, -- The same, cut into words.
  request_emails boolean not null default true, -- Whether the person wants emails about connection requests.
  requests_seen_until timestamp with time zone, -- Up to when the person has seen requests.
  requests_emailed_at timestamp with time zone, -- When the last email about requests was sent.
  still_on_reminders boolean not null default true, -- Whether the person wants to be reminded of a session that may be forgotten.
  in_report boolean not null default true, -- Whether the person is counted in the company report.
  counted_from text, -- The Monday from which the weeks of the person are counted in the company report: the next one after they join the company. Null: all are.
  language text, -- The language of the app and of emails; null: English emails, and the app in the language of the browser.
  constraint profiles_pkey PRIMARY KEY (id),
  constraint profiles_username_key UNIQUE (username_key),
  constraint profiles_id_fkey FOREIGN KEY (id) REFERENCES auth.users(id) ON DELETE CASCADE,
  constraint profiles_counted_from_monday CHECK (counted_from = monday_of(counted_from)),
  constraint profiles_first_name_has_key CHECK ((first_name IS NULL) = (first_name_key IS NULL)),
  constraint profiles_language CHECK (language = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'es'::text, 'it'::text])),
  constraint profiles_last_name_has_key CHECK ((last_name IS NULL) = (last_name_key IS NULL)),
  constraint profiles_username_has_key CHECK ((username IS NULL) = (username_key IS NULL)),
  constraint profiles_username_length CHECK (char_length(username) >= 1 AND char_length(username) <= 40)
);
CREATE UNIQUE INDEX profiles_company_idx ON profiles USING btree (company_domain, id);
CREATE INDEX profiles_first_name_idx ON profiles USING btree (company_domain, first_name_key, last_name_key);
CREATE INDEX profiles_last_name_idx ON profiles USING btree (company_domain, last_name_key, first_name_key);
CREATE INDEX profiles_search_idx ON profiles USING gin (company_domain, search_text gin_trgm_ops, search_words gin_trgm_ops) WITH (fastupdate=off);
CREATE INDEX profiles_username_idx ON profiles USING btree (company_domain, username_key COLLATE "C");
CREATE TRIGGER profiles_status_links_ended AFTER UPDATE OF company_domain ON profiles FOR EACH ROW WHEN (new.company_domain IS DISTINCT FROM old.company_domain) EXECUTE FUNCTION end_status_links_of_leaver();
CREATE TRIGGER profiles_webhooks_stopped AFTER UPDATE OF company_domain ON profiles FOR EACH ROW WHEN (old.company_domain IS NOT NULL AND old.company_domain IS DISTINCT FROM new.company_domain) EXECUTE FUNCTION stop_webhooks_of_leaver();

-- The keys by which this server sends notifications.
create table push_keys (
  id integer not null, -- Always 1.
  public_key bytea not null, -- The public key.
  private_key bytea not null, -- The encrypted private key.
  created_at timestamp with time zone not null, -- When they were made.
  constraint push_keys_pkey PRIMARY KEY (id),
  constraint push_keys_one_row CHECK (id = 1)
);

-- A notification to send, without its text.
create table push_messages (
  id uuid not null, -- The notification.
  session_id uuid, -- The browser; empty once it has unsubscribed.
  kind text not null, -- What it is about: a colleague who is free, or a session that may be forgotten.
  about uuid not null, -- The colleague or the session.
  created_at timestamp with time zone not null, -- When it was written.
  expires_at timestamp with time zone not null, -- Until when it is worth sending.
  attempts integer not null default 0, -- How often it was tried.
  tried_at timestamp with time zone, -- When it was last tried.
  next_try_at timestamp with time zone not null, -- When it is tried next.
  user_id uuid not null, -- The person.
  constraint push_messages_pkey PRIMARY KEY (id),
  constraint push_messages_session_id_fkey FOREIGN KEY (session_id) REFERENCES push_subscriptions(session_id) ON DELETE SET NULL,
  constraint push_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
CREATE INDEX push_messages_due_idx ON push_messages USING btree (next_try_at) WHERE next_try_at < 'infinity'::timestamp with time zone;
CREATE INDEX push_messages_expires_at_idx ON push_messages USING btree (expires_at);
CREATE INDEX push_messages_session_id_idx ON push_messages USING btree (session_id);
CREATE INDEX push_messages_tried_at_idx ON push_messages USING btree (tried_at);
CREATE INDEX push_messages_user_id_idx ON push_messages USING btree (user_id, tried_at);

-- Where to send notifications for one browser.
create table push_subscriptions (
  session_id uuid not null, -- The sign-in of that browser.
  user_id uuid not null, -- The person.
  endpoint text not null, -- The address of the browser at its push service.
  p256dh bytea not null, -- A public key of the browser, to encrypt messages for it.
  auth_secret bytea not null, -- A secret of the browser, to encrypt messages for it.
  created_at timestamp with time zone not null, -- When notifications were switched on.
  constraint push_subscriptions_pkey PRIMARY KEY (session_id),
  constraint push_subscriptions_endpoint_key UNIQUE (endpoint),
  constraint push_subscriptions_session_id_fkey FOREIGN KEY (session_id) REFERENCES auth.sessions(id) ON DELETE CASCADE,
  constraint push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint push_subscriptions_auth_length CHECK (octet_length(auth_secret) = 16),
  constraint push_subscriptions_p256dh_length CHECK (octet_length(p256dh) = 65)
);
CREATE INDEX push_subscriptions_user_id_idx ON push_subscriptions USING btree (user_id);

-- Who takes part in the quiet times of a circle. Nobody else can see it.
create table quiet_members (
  circle_id uuid not null, -- The circle.
  user_id uuid not null, -- The person.
  notifies boolean not null, -- Whether their browsers show a notification when one begins.
  switches_on boolean not null, -- Whether a device that they have just used switches deeb mode on when one begins.
  seed uuid not null, -- A random value that gives each start the same session id on all devices of the person, and that nobody can guess.
  skips_until timestamp with time zone, -- Until when they leave them out.
  constraint quiet_members_pkey PRIMARY KEY (circle_id, user_id),
  constraint quiet_members_member_fkey FOREIGN KEY (circle_id, user_id) REFERENCES circle_members(circle_id, user_id) ON DELETE CASCADE
);
CREATE INDEX quiet_members_skips_until_idx ON quiet_members USING btree (skips_until) WHERE skips_until IS NOT NULL;
CREATE INDEX quiet_members_user_idx ON quiet_members USING btree (user_id);

-- A part of some days of the week in which the members of a circle have agreed to be quiet.
create table quiet_times (
  id uuid not null, -- The quiet time.
  circle_id uuid not null, -- The circle.
  days smallint[] not null, -- Its days, 0 for Sunday to 6 for Saturday.
  from_minute smallint not null, -- When it begins, in minutes since midnight.
  to_minute smallint not null, -- When it ends, in minutes since midnight.
  time_zone text not null, -- The time zone of its days and minutes.
  starts_at timestamp with time zone not null, -- When it begins now or next.
  ends_at timestamp with time zone not null, -- When that ends.
  has_begun boolean not null, -- Whether the push messages of its start are queued.
  constraint quiet_times_pkey PRIMARY KEY (id),
  constraint quiet_times_circle_id_fkey FOREIGN KEY (circle_id) REFERENCES circles(id) ON DELETE CASCADE,
  constraint quiet_times_days_known CHECK (cardinality(days) >= 1 AND cardinality(days) <= 7 AND days <@ '{0,1,2,3,4,5,6}'::smallint[]),
  constraint quiet_times_ends_after_start CHECK (starts_at < ends_at),
  constraint quiet_times_within_a_day CHECK (from_minute >= 0 AND from_minute < to_minute AND to_minute <= 1440)
);
CREATE INDEX quiet_times_circle_idx ON quiet_times USING btree (circle_id);
CREATE INDEX quiet_times_ends_at_idx ON quiet_times USING btree (ends_at);
CREATE INDEX quiet_times_to_begin_idx ON quiet_times USING btree (starts_at) WHERE NOT has_begun;

-- Up to when old focus sessions were deleted.
create table retention_marks (
  id integer not null, -- Always 1.
  sessions_from text not null, -- No session with time on this date or later was deleted for its age; in every download.
  sessions_purged_before text, -- All sessions before this date are deleted.
  constraint retention_marks_pkey PRIMARY KEY (id),
  constraint retention_marks_one_row CHECK (id = 1),
  constraint retention_marks_purged_after_mark CHECK (sessions_purged_before <= sessions_from),
  constraint retention_marks_sessions_from_form CHECK (sessions_from ~ '^\d{4}-\d{2}-\d{2}$'::text),
  constraint retention_marks_sessions_purged_before_form CHECK (sessions_purged_before ~ '^\d{4}-\d{2}-\d{2}$'::text)
);
CREATE TRIGGER retention_marks_forward BEFORE UPDATE ON retention_marks FOR EACH ROW WHEN (new.sessions_from < old.sessions_from) EXECUTE FUNCTION refuse_earlier_mark();

-- The versions of the tables.
create table schema_migrations (
  name text not null, -- The change of the tables.
  applied_at timestamp with time zone not null default now(), -- When it was made.
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

-- Which members agreed to be on the sign of a circle.
create table sign_agreements (
  sign_id uuid not null, -- The sign of a circle.
  circle_id uuid not null, -- The circle.
  user_id uuid not null, -- The member who agreed to be on it.
  shows_name boolean not null, -- Whether the member agreed to be named. Names are shown only if all members on the sign did.
  agreed_at timestamp with time zone not null, -- When the member agreed.
  constraint sign_agreements_pkey PRIMARY KEY (sign_id, user_id),
  constraint sign_agreements_member_fkey FOREIGN KEY (circle_id, user_id) REFERENCES circle_members(circle_id, user_id) ON DELETE CASCADE,
  constraint sign_agreements_sign_fkey FOREIGN KEY (sign_id, circle_id) REFERENCES signs(id, circle_id) ON DELETE CASCADE
);
CREATE INDEX sign_agreements_member_idx ON sign_agreements USING btree (circle_id, user_id);
CREATE INDEX sign_agreements_user_id_idx ON sign_agreements USING btree (user_id);

-- A door sign: a page for a display that shows deeb mode.
create table signs (
  id uuid not null, -- The sign. It is no secret.
  user_id uuid not null, -- The person who made it, and whom it shows unless it is of a circle.
  circle_id uuid, -- The circle whose members it shows; none for a sign of one person.
  label text not null, -- Where it hangs, as the person named it.
  token_hash bytea not null, -- SHA-256 of the secret in its link. The secret itself is not stored.
  shows_name boolean not null, -- Whether it shows the name of the person.
  shows_until boolean not null, -- Whether it shows since when and until when the person is in deeb mode.
  created_at timestamp with time zone not null, -- When it was made.
  last_seen_at timestamp with time zone, -- When a display last read it, up to five minutes late.
  constraint signs_pkey PRIMARY KEY (id),
  constraint signs_circle_id_key UNIQUE (id, circle_id),
  constraint signs_circle_key UNIQUE (circle_id),
  constraint signs_token_key UNIQUE (token_hash),
  constraint signs_circle_fkey FOREIGN KEY (circle_id, user_id) REFERENCES circle_members(circle_id, user_id) ON DELETE CASCADE,
  constraint signs_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint signs_label_length CHECK (char_length(label) >= 1 AND char_length(label) <= 40),
  constraint signs_of_circle CHECK (circle_id IS NULL OR NOT shows_name AND NOT shows_until),
  constraint signs_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX signs_user_id_idx ON signs USING btree (user_id);

-- A chat system that a company does not allow.
create table status_hidden (
  company_domain text not null, -- The company.
  system text not null, -- The chat system.
  constraint status_hidden_pkey PRIMARY KEY (company_domain, system)
);

-- A chat system in which a person shows deeb mode, by their own wish.
create table status_links (
  id uuid not null, -- The link.
  user_id uuid, -- The person; empty once the link has ended.
  system text not null, -- The chat system.
  workspace text not null, -- The workspace, tenant or server there.
  account_id text not null, -- The account of the person there.
  account_name text, -- The name of that account.
  workspace_name text, -- The name of the workspace.
  credentials bytea, -- The encrypted tokens with which the status is set.
  refreshing_until timestamp with time zone, -- Until when a server asks for new tokens.
  refused_at timestamp with time zone, -- When the chat system refused the tokens, which were deleted then.
  is_on boolean not null default true, -- Whether the status is set in deeb mode.
  with_dnd boolean not null default true, -- Whether notifications there are paused too.
  words text, -- The person's own words for the status.
  changed_at timestamp with time zone not null, -- When the person last changed this.
  test_until timestamp with time zone, -- Until when the status is set as a test.
  linked_at timestamp with time zone not null, -- When the person connected it.
  ended_at timestamp with time zone, -- When the link ended.
  attempts integer not null default 0, -- How often clearing it was tried after its end.
  next_try_at timestamp with time zone not null default '-infinity'::timestamp with time zone, -- When that is tried next.
  constraint status_links_pkey PRIMARY KEY (id),
  constraint status_links_one_per_system UNIQUE (user_id, system),
  constraint status_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE SET NULL,
  constraint status_links_refused CHECK ((credentials IS NULL) = (refused_at IS NOT NULL)),
  constraint status_links_system CHECK (system = ANY (ARRAY['slack'::text, 'microsoft'::text, 'google'::text, 'mattermost'::text, 'zulip'::text])),
  constraint status_links_words CHECK (char_length(words) >= 1 AND char_length(words) <= 60)
);
CREATE UNIQUE INDEX status_links_account_idx ON status_links USING btree (system, workspace, account_id) WHERE user_id IS NOT NULL;
CREATE INDEX status_links_ended_idx ON status_links USING btree (next_try_at) WHERE user_id IS NULL;
CREATE TRIGGER status_links_ended BEFORE UPDATE ON status_links FOR EACH ROW WHEN (new.user_id IS NULL AND old.user_id IS NOT NULL) EXECUTE FUNCTION end_status_link();

-- How fast this server may call one workspace of a chat system.
create table status_queues (
  system text not null, -- The chat system.
  workspace text not null, -- The workspace, tenant or server there.
  part text not null, -- Text or "do not disturb".
  next_at timestamp with time zone not null default '-infinity'::timestamp with time zone, -- When the next call is free.
  paused_until timestamp with time zone not null default '-infinity'::timestamp with time zone, -- Until when the system asked to wait.
  constraint status_queues_pkey PRIMARY KEY (system, workspace, part)
);

-- What deeb has set in a chat system: the text of the status, or "do not disturb".
create table status_signals (
  link_id uuid not null, -- The link.
  part text not null, -- Text or "do not disturb".
  done_wish text, -- The focus session, with its target, for which it was set last.
  lease_until timestamp with time zone, -- When it ends by itself.
  renew_at timestamp with time zone, -- When it is renewed.
  memo bytea, -- Encrypted: what deeb set, and the status that was there before.
  attempts integer not null default 0, -- How often the change was tried.
  next_try_at timestamp with time zone not null default '-infinity'::timestamp with time zone, -- When it is tried next.
  result text, -- How the last change went.
  result_at timestamp with time zone, -- When that was.
  constraint status_signals_pkey PRIMARY KEY (link_id, part),
  constraint status_signals_link_id_fkey FOREIGN KEY (link_id) REFERENCES status_links(id) ON DELETE CASCADE,
  constraint status_signals_part CHECK (part = ANY (ARRAY['text'::text, 'dnd'::text])),
  constraint status_signals_result CHECK (result = ANY (ARRAY['set'::text, 'cleared'::text, 'left'::text, 'later'::text, 'failed'::text]))
);

-- A request between two colleagues to see each other, and its answer.
create table team_connections (
  id uuid not null, -- The connection.
  requester_id uuid not null, -- The person who asked.
  receiver_id uuid not null, -- The person who was asked.
  status text not null, -- Pending, accepted or declined; a declined request looks pending to the requester.
  created_at timestamp with time zone not null, -- When the request was made.
  updated_at timestamp with time zone not null, -- When it last changed.
  taken_back boolean not null default false, -- Whether the requester took a declined request back.
  constraint team_connections_pkey PRIMARY KEY (id),
  constraint team_connections_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint team_connections_requester_id_fkey FOREIGN KEY (requester_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint team_connections_not_oneself CHECK (requester_id <> receiver_id),
  constraint team_connections_status_known CHECK (status = ANY (ARRAY['pending'::text, 'accepted'::text, 'declined'::text])),
  constraint team_connections_taken_back_declined CHECK (status = 'declined'::text OR NOT taken_back)
);
CREATE UNIQUE INDEX team_connections_one_per_pair ON team_connections USING btree (LEAST(requester_id, receiver_id), GREATEST(requester_id, receiver_id));
CREATE INDEX team_connections_pending_idx ON team_connections USING btree (created_at) WHERE status = 'pending'::text;
CREATE INDEX team_connections_receiver_idx ON team_connections USING btree (receiver_id, status);
CREATE INDEX team_connections_requester_idx ON team_connections USING btree (requester_id, status);
CREATE TRIGGER team_connections_wishes_forgotten AFTER DELETE ON team_connections FOR EACH ROW WHEN (old.status = 'accepted'::text) EXECUTE FUNCTION forget_wishes_of_pair();

-- Whether the person is in deeb mode now.
create table user_presence (
  user_id uuid not null, -- The person.
  is_in_deeb_mode boolean not null generated always as (current_session_id IS NOT NULL) stored, -- Whether deeb mode is on.
  current_session_id uuid, -- The open focus session.
  version bigint not null default nextval('presence_versions'::regclass), -- A number that grows with each change of anybody, so that the server finds what changed. In no answer and no download.
  revision bigint not null default 0, -- A number that grows with each change of this person, so that the newest state wins.
  constraint user_presence_pkey PRIMARY KEY (user_id),
  constraint user_presence_user_id_current_session_id_fkey FOREIGN KEY (user_id, current_session_id) REFERENCES deeb_sessions(user_id, id),
  constraint user_presence_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
CREATE TRIGGER user_presence_numbered BEFORE UPDATE ON user_presence FOR EACH ROW WHEN (old.current_session_id IS DISTINCT FROM new.current_session_id OR old.version <> new.version) EXECUTE FUNCTION number_presence();

-- Messages to these URLs: those to send, and those of the last 7 days.
create table webhook_deliveries (
  id uuid not null, -- The message.
  user_id uuid not null, -- The person.
  endpoint_id uuid not null, -- The endpoint.
  type text not null, -- Which event it is.
  data jsonb not null, -- What it says: the times of a focus session, or the goal of a day.
  created_at timestamp with time zone not null, -- When the event happened.
  expires_at timestamp with time zone not null, -- When the server gives up.
  attempts integer not null default 0, -- How often it was sent.
  tried_at timestamp with time zone, -- When it was last sent.
  leased_until timestamp with time zone, -- Until when one process sends it.
  next_try_at timestamp with time zone not null, -- When it is sent next.
  delivered_at timestamp with time zone, -- When it arrived.
  status smallint, -- The status of the last answer.
  failure text, -- Why there was no answer.
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries USING btree (endpoint_id, created_at) WHERE next_try_at < 'infinity'::timestamp with time zone;
CREATE INDEX webhook_deliveries_endpoint_idx ON webhook_deliveries USING btree (endpoint_id, created_at);
CREATE INDEX webhook_deliveries_user_id_idx ON webhook_deliveries USING btree (user_id, tried_at);

-- A URL that the server calls about the focus of the person.
create table webhook_endpoints (
  id uuid not null, -- The endpoint.
  user_id uuid not null, -- The person.
  url text not null, -- The URL that is called.
  events text[] not null, -- Which events are sent.
  secret bytea not null, -- The secret that signs messages, encrypted.
  old_secret bytea, -- The secret before it, which signs them too for a day, encrypted.
  old_secret_until timestamp with time zone, -- Until when the old secret signs.
  created_at timestamp with time zone not null, -- When it was added.
  failing_since timestamp with time zone, -- Since when no message has arrived.
  off_reason text, -- Why nothing is sent.
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint webhook_endpoints_events_known CHECK (cardinality(events) > 0 AND events <@ ARRAY['focus.started'::text, 'focus.ended'::text, 'goal.reached'::text]),
  constraint webhook_endpoints_off_reason_known CHECK (off_reason = ANY (ARRAY['person'::text, 'failing'::text, 'gone'::text, 'security'::text])),
  constraint webhook_endpoints_old_secret_ends CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  constraint webhook_endpoints_url_form CHECK (url ~ '^https?://'::text AND char_length(url) <= 2000)
);
CREATE INDEX webhook_endpoints_user_id_idx ON webhook_endpoints USING btree (user_id);

-- Days with a reached goal, so that each is sent once.
create table webhook_goal_days (
  user_id uuid not null, -- The person.
  date text not null, -- The date at the place of the person.
  noted_at timestamp with time zone not null, -- When it became known.
  constraint webhook_goal_days_pkey PRIMARY KEY (user_id, date),
  constraint webhook_goal_days_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE,
  constraint webhook_goal_days_date_form CHECK (date ~ '^\d{4}-\d{2}-\d{2}$'::text)
);
CREATE INDEX webhook_goal_days_noted_at_idx ON webhook_goal_days USING btree (noted_at);

-- The focus time of a week.
create table weekly_stats (
  user_id uuid not null, -- The person.
  week_start text not null, -- The Monday of the week.
  total_minutes integer not null, -- The sum of the minutes of its days.
  constraint weekly_stats_pkey PRIMARY KEY (user_id, week_start),
  constraint weekly_stats_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(id) ON DELETE CASCADE
);

create schema auth;

create extension btree_gin;

create extension btree_gist;

create extension pg_trgm;

create sequence presence_versions;

CREATE OR REPLACE FUNCTION public.count_alias()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform count_start(new.user_id, start_date) from deeb_sessions where user_id = new.user_id and id = new.session_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_correction()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.corrections := old.corrections + 1;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.count_day()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  gained int := new.total_minutes - coalesce(old.total_minutes, 0);
  week_minutes int;
begin
  if gained = 0 then return null; end if;
  insert into weekly_stats as week (user_id, week_start, total_minutes)
  values (new.user_id, monday_of(new.date), gained)
  on conflict (user_id, week_start) do update set total_minutes = week.total_minutes + gained
  returning total_minutes into week_minutes;
  insert into focus_totals as totals (user_id, total_minutes, active_weeks) values (new.user_id, gained, 1)
  on conflict (user_id) do update set total_minutes = totals.total_minutes + gained,
    active_weeks = totals.active_weeks + (week_minutes > 0)::int - (week_minutes - gained > 0)::int;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION auth.count_guess(keys bytea[], free integer[], max_seconds integer[], at timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.count_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform count_start(new.user_id, new.start_date);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.count_start(person uuid, local_date text)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into daily_start_counts as counts (user_id, date, starts) values (person, local_date, 1)
  on conflict (user_id, date) do update set starts = counts.starts + 1;
$function$;

CREATE OR REPLACE FUNCTION public.delete_empty_circle()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from circles where id = old.circle_id for update;
  delete from circles where id = old.circle_id and not exists (select from circle_members where circle_id = old.circle_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.end_agreements_of_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from public.sign_agreements where user_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.end_agreements_of_hiding()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from sign_agreements where user_id = new.user_id
    and circle_id in (select circle_id from circle_members where user_id = new.hidden_from);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.end_status_link()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.ended_at := now();
  new.account_name := null;
  new.workspace_name := null;
  new.words := null;
  new.is_on := false;
  new.test_until := null;
  new.attempts := 0;
  new.next_try_at := '-infinity';
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.end_status_links_of_leaver()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update status_links set user_id = null where user_id = new.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_target()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.target_minutes := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_touch()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.last_touch_at := null;
  new.still_on_answers := null;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_wishes(one uuid, other uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from free_alerts where (watcher_id, target_id) in (
    select watcher_id, target_id from free_alerts
    where (watcher_id = one and target_id = coalesce(other, target_id) or target_id = one and watcher_id = coalesce(other, watcher_id))
      and not exists (select from team_connections where status = 'accepted'
        and (requester_id, receiver_id) in ((watcher_id, target_id), (target_id, watcher_id)))
    for update skip locked);
$function$;

CREATE OR REPLACE FUNCTION public.forget_wishes_of_pair()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'circle_members' then
    perform forget_wishes(old.user_id, null);
  elsif tg_table_name = 'hidden_people' then
    perform forget_wishes(new.user_id, new.hidden_from);
  else
    perform forget_wishes(old.requester_id, old.receiver_id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION auth.keep_issuer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.id <> old.id or new.issuer <> old.issuer then
    raise exception 'The issuer of a provider cannot change: its identities belong to it.'
      using errcode = 'check_violation', constraint = 'sso_providers_keep_issuer';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.monday_of(date text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN to_char(date_trunc('week'::text, (date)::timestamp without time zone), 'YYYY-MM-DD'::text);

CREATE OR REPLACE FUNCTION public.never_again()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'A counted week never changes.' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.number_presence()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.version = new.version then
    new.version := nextval('presence_versions');
  end if;
  new.revision := greatest(new.revision, old.revision + 1);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_earlier_mark()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'A mark of the retention never moves back.' using errcode = 'restrict_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.stop_webhooks_of_leaver()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update webhook_endpoints set off_reason = 'security' where user_id = new.id and off_reason is null;
  return null;
end $function$;
