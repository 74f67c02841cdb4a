-- What visitors leave on the public pages.

create table click_analytics (
  id uuid primary key,
  button_name text not null,
  page text not null,
  user_session text not null,
  created_at timestamptz not null
);
comment on table click_analytics is 'A press of a button on a public page.';
comment on column click_analytics.id is 'The press.';
comment on column click_analytics.button_name is 'The button.';
comment on column click_analytics.page is 'The page.';
comment on column click_analytics.user_session is 'A random number that is made for this press.';
comment on column click_analytics.created_at is 'When it was pressed.';

create table email_leads (
  id uuid primary key,
  email text not null constraint email_leads_email_normal check (email = lower(email) and length(email) <= 254),
  source text not null constraint email_leads_source_known check (source in ('coming_soon_page', 'main_coming_soon')),
  created_at timestamptz not null,
  purpose text constraint email_leads_purpose_known check (purpose in (
    'info_sheet', 'demo', 'pilot', 'sales', 'newsletter', 'privacy', 'terms', 'imprint', 'contact', 'support')),
  constraint email_leads_once unique (email, source)
);
comment on table email_leads is 'An address that a visitor left on a public page.';
comment on column email_leads.id is 'The entry.';
comment on column email_leads.email is 'The address.';
comment on column email_leads.source is 'The list.';
comment on column email_leads.created_at is 'When it was left.';
comment on column email_leads.purpose is 'What the visitor asked for.';
