alter table profiles drop constraint profiles_language,
  add constraint profiles_language check (language in ('en', 'de', 'fr', 'es', 'it'));
