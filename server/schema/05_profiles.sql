-- Colleagues are found by each typed word: one or two letters at the beginning of a word, more of them anywhere.
create extension if not exists pg_trgm;
-- Puts the company into the same index, so that a small company does not read through the matches of a large one.
create extension if not exists btree_gin;

create function monday_of(date text) returns text
  -- Without a time zone: the week of a date is the same wherever the server stands.
  language sql immutable return to_char(date_trunc('week', date::timestamp), 'YYYY-MM-DD');

create table profiles (
  id uuid primary key references auth.users on delete cascade,
  username text constraint profiles_username_length check (char_length(username) between 1 and 40),
  -- Keys are made by usernameKey(): engines differ in what lower() and upper() do beyond ASCII.
  username_key text constraint profiles_username_key unique,
  first_name text,
  last_name text,
  email text not null,
  -- What companyOf() says of the confirmed address; null for an address that belongs to no company.
  company_domain text,
  first_name_key text collate "C",
  last_name_key text collate "C",
  -- For words of three letters or more. A typed word has no space, so it never spans two fields.
  search_text text collate "C" not null generated always as (
    coalesce(first_name_key, '') || ' ' || coalesce(last_name_key, '') || ' ' || coalesce(username_key, '') || ' ' ||
    upper(email collate "C")) stored,
  -- The words that one or two letters may begin: each behind a space, as they are and split at signs. Without the
  -- domain, which all colleagues have in common.
  search_words text collate "C" not null generated always as (
    ' ' || coalesce(first_name_key, '') || ' ' || coalesce(last_name_key, '') || ' ' || coalesce(username_key, '') || ' ' ||
    upper(split_part(email, '@', 1) collate "C") || ' ' || translate(
      coalesce(first_name_key, '') || ' ' || coalesce(last_name_key, '') || ' ' || coalesce(username_key, '') || ' ' ||
      upper(split_part(email, '@', 1) collate "C"),
      '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' ||
        U&'\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\202F\205F\3000',
      repeat(' ', 48))) stored,
  request_emails boolean not null default true,
  -- When the newest request was made that the person knows of, from the open app or from an email.
  requests_seen_until timestamptz,
  requests_emailed_at timestamptz,
  still_on_reminders boolean not null default true,
  in_report boolean not null default true,
  -- Somebody who moves to another company could be counted twice in a week, once in each. Each count draws noise of its own, so they cancel.
  counted_from text constraint profiles_counted_from_monday check (counted_from = monday_of(counted_from)),
  language text constraint profiles_language check (language in ('en', 'de', 'fr', 'es', 'it')),
  constraint profiles_username_has_key check ((username is null) = (username_key is null)),
  constraint profiles_first_name_has_key check ((first_name is null) = (first_name_key is null)),
  constraint profiles_last_name_has_key check ((last_name is null) = (last_name_key is null))
);
comment on table profiles is 'A person, as colleagues know them.';
comment on column profiles.id is 'The person; the same id as that of the account.';
comment on column profiles.username is 'The name that the person chose in deeb.';
comment on column profiles.username_key is 'The username in the form in which names are compared.';
comment on column profiles.first_name is 'The first name, from the email address or the company account.';
comment on column profiles.last_name is 'The last name, from the email address or the company account.';
comment on column profiles.email is 'The confirmed email address.';
comment on column profiles.company_domain is 'The company, as the domain of the email address.';
comment on column profiles.first_name_key is 'The first name in the form in which names are compared.';
comment on column profiles.last_name_key is 'The last name in the form in which names are compared.';
comment on column profiles.search_text is 'Names and address, as the search for colleagues reads them.';
comment on column profiles.search_words is 'The same, cut into words.';
comment on column profiles.request_emails is 'Whether the person wants emails about connection requests.';
comment on column profiles.requests_seen_until is 'Up to when the person has seen requests.';
comment on column profiles.requests_emailed_at is 'When the last email about requests was sent.';
comment on column profiles.still_on_reminders is 'Whether the person wants to be reminded of a session that may be forgotten.';
comment on column profiles.in_report is 'Whether the person is counted in the company report.';
comment on column profiles.counted_from is
  'The Monday from which the weeks of the person are counted in the company report: the next one after they join the company. Null: all are.';
comment on column profiles.language is
  'The language of the app and of emails; null: English emails, and the app in the language of the browser.';
-- No list of pending entries: new people are rare, and a search should not have to read unsorted entries.
create index profiles_search_idx on profiles
  using gin (company_domain, search_text gin_trgm_ops, search_words gin_trgm_ops) with (fastupdate = off);
-- The best matches, whose names begin with the typed word, in the order in which they are shown.
create index profiles_first_name_idx on profiles (company_domain, first_name_key, last_name_key);
create index profiles_last_name_idx on profiles (company_domain, last_name_key, first_name_key);
create index profiles_username_idx on profiles (company_domain, (username_key collate "C"));
-- The people of a company in a fixed random order, since ids are random. Unique, so that a membership can refer to a person in their company.
create unique index profiles_company_idx on profiles (company_domain, id);
