-- Colleagues are found by every word that is typed: one or two letters at the beginning of a word, more of them anywhere.
create extension if not exists pg_trgm;
-- Puts the company into the same index, so that a small company does not read through the matches of a large one.
create extension if not exists btree_gin;

alter table profiles
  -- As they are compared, made by usernameKey(): engines differ in what upper() does beyond ASCII.
  add column first_name_key text collate "C",
  add column last_name_key text collate "C";
-- Names so far come from addresses and are ASCII.
update profiles set first_name_key = upper(first_name collate "C"), last_name_key = upper(last_name collate "C");
alter table profiles
  add constraint profiles_first_name_has_key check ((first_name is null) = (first_name_key is null)),
  add constraint profiles_last_name_has_key check ((last_name is null) = (last_name_key is null)),
  -- Whatever a word of three letters or more is looked for in. A typed word has no space, so it never spans two fields.
  add column search_text text collate "C" not null generated always as (
    coalesce(first_name_key, '') || ' ' || coalesce(last_name_key, '') || ' ' || coalesce(username_key, '') || ' ' ||
    upper(email collate "C")) stored,
  -- The words that one or two letters may begin: each behind a space, as they are and taken apart at signs. Without the
  -- domain, which all colleagues have in common.
  add column search_words text collate "C" not null generated always as (
    ' ' || coalesce(first_name_key, '') || ' ' || coalesce(last_name_key, '') || ' ' || coalesce(username_key, '') || ' ' ||
    upper(split_part(email, '@', 1) collate "C") || ' ' || translate(
      coalesce(first_name_key, '') || ' ' || coalesce(last_name_key, '') || ' ' || coalesce(username_key, '') || ' ' ||
      upper(split_part(email, '@', 1) collate "C"),
      '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~' ||
        U&'\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\202F\205F\3000',
      repeat(' ', 48))) stored;

-- No list of pending entries: joining is rare, and a search should not have to read what was not yet sorted in.
create index profiles_search_idx on profiles
  using gin (company_domain, search_text gin_trgm_ops, search_words gin_trgm_ops) with (fastupdate = off);
-- The best matches, whose names begin with what was typed, in the order in which they are shown.
create index profiles_first_name_idx on profiles (company_domain, first_name_key, last_name_key);
create index profiles_last_name_idx on profiles (company_domain, last_name_key, first_name_key);
create index profiles_username_idx on profiles (company_domain, (username_key collate "C"));
-- Each of the three does its work.
drop index profiles_company_domain_idx;
