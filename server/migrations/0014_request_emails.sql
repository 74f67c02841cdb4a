-- Emails about connection requests.
alter table profiles
  -- Whether the person wants them.
  add column request_emails boolean not null default true,
  -- When the newest request was made that the person knows of, from the open app or from an email.
  add column requests_seen_until timestamptz,
  add column requests_emailed_at timestamptz;

-- The pending requests of the last days, among all that were never answered.
create index team_connections_pending_idx on team_connections (created_at) where status = 'pending';

-- The link by which the recipient stops emails of this kind. Removed once sent, like the body.
alter table auth.outbox add column unsubscribe_url text;
