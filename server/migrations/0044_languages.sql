alter table profiles add column language text
  constraint profiles_language check (language in ('en', 'de', 'fr', 'es'));
comment on column profiles.language is 'The language of the app and of emails; null: English emails, and the app in the language of the browser.';
