-- What the visitor asked for on /coming-soon, where a link said it.
alter table email_leads add column purpose text constraint email_leads_purpose_known check (purpose in (
  'info_sheet', 'demo', 'pilot', 'sales', 'newsletter', 'privacy', 'terms', 'imprint', 'contact', 'support'));
