-- Webhooks: the server calls URLs of a person about this person's own focus (Standard Webhooks).

create table webhook_endpoints (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  url text not null constraint webhook_endpoints_url_form check (url ~ '^https?://' and char_length(url) <= 2000),
  events text[] not null constraint webhook_endpoints_events_known
    check (cardinality(events) > 0 and events <@ array['focus.started', 'focus.ended', 'goal.reached']),
  -- Encrypted, with the id of the row as context.
  secret bytea not null,
  old_secret bytea,
  old_secret_until timestamptz,
  created_at timestamptz not null,
  failing_since timestamptz,
  -- Null while it is on.
  off_reason text constraint webhook_endpoints_off_reason_known check (off_reason in ('person', 'failing', 'gone', 'security')),
  constraint webhook_endpoints_old_secret_ends check ((old_secret is null) = (old_secret_until is null))
);
comment on table webhook_endpoints is 'A URL that the server calls about the focus of the person.';
comment on column webhook_endpoints.id is 'The endpoint.';
comment on column webhook_endpoints.user_id is 'The person.';
comment on column webhook_endpoints.url is 'The URL that is called.';
comment on column webhook_endpoints.events is 'Which events are sent.';
comment on column webhook_endpoints.secret is 'The secret that signs messages, encrypted.';
comment on column webhook_endpoints.old_secret is 'The secret before it, which signs them too for a day, encrypted.';
comment on column webhook_endpoints.old_secret_until is 'Until when the old secret signs.';
comment on column webhook_endpoints.created_at is 'When it was added.';
comment on column webhook_endpoints.failing_since is 'Since when no message has arrived.';
comment on column webhook_endpoints.off_reason is 'Why nothing is sent.';
create index webhook_endpoints_user_id_idx on webhook_endpoints (user_id);

-- A receiver may be in the network of the company that the person leaves. In the database, so that no way out forgets it.
create function stop_webhooks_of_leaver() returns trigger language plpgsql as $$
begin
  update webhook_endpoints set off_reason = 'security' where user_id = new.id and off_reason is null;
  return null;
end $$;
create trigger profiles_webhooks_stopped after update of company_domain on profiles
  for each row when (old.company_domain is not null and old.company_domain is distinct from new.company_domain)
  execute function stop_webhooks_of_leaver();

-- The outbox: one row for each event and endpoint.
create table webhook_deliveries (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  -- No foreign key: a switch must not fail because its endpoint is deleted concurrently. Without its endpoint a row is never sent.
  endpoint_id uuid not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  attempts int not null default 0,
  tried_at timestamptz,
  -- Until then no other row of its endpoint is sent either.
  leased_until timestamptz,
  -- 'infinity' once it is delivered or given up.
  next_try_at timestamptz not null,
  delivered_at timestamptz,
  status smallint,
  failure text
);
comment on table webhook_deliveries is 'Messages to these URLs: those to send, and those of the last 7 days.';
comment on column webhook_deliveries.id is 'The message.';
comment on column webhook_deliveries.user_id is 'The person.';
comment on column webhook_deliveries.endpoint_id is 'The endpoint.';
comment on column webhook_deliveries.type is 'Which event it is.';
comment on column webhook_deliveries.data is 'What it says: the times of a focus session, or the goal of a day.';
comment on column webhook_deliveries.created_at is 'When the event happened.';
comment on column webhook_deliveries.expires_at is 'When the server gives up.';
comment on column webhook_deliveries.attempts is 'How often it was sent.';
comment on column webhook_deliveries.tried_at is 'When it was last sent.';
comment on column webhook_deliveries.leased_until is 'Until when one process sends it.';
comment on column webhook_deliveries.next_try_at is 'When it is sent next.';
comment on column webhook_deliveries.delivered_at is 'When it arrived.';
comment on column webhook_deliveries.status is 'The status of the last answer.';
comment on column webhook_deliveries.failure is 'Why there was no answer.';
create index webhook_deliveries_due_idx on webhook_deliveries (endpoint_id, created_at) where next_try_at < 'infinity';
create index webhook_deliveries_endpoint_idx on webhook_deliveries (endpoint_id, created_at);
create index webhook_deliveries_user_id_idx on webhook_deliveries (user_id, tried_at);
create index webhook_deliveries_created_at_idx on webhook_deliveries (created_at);

-- The days for which `goal.reached` was sent, or was true before anybody wanted to know.
create table webhook_goal_days (
  user_id uuid not null references profiles on delete cascade,
  date text not null constraint webhook_goal_days_date_form check (date ~ '^\d{4}-\d{2}-\d{2}$'),
  noted_at timestamptz not null,
  primary key (user_id, date)
);
comment on table webhook_goal_days is 'Days with a reached goal, so that each is sent once.';
comment on column webhook_goal_days.user_id is 'The person.';
comment on column webhook_goal_days.date is 'The date at the place of the person.';
comment on column webhook_goal_days.noted_at is 'When it became known.';
create index webhook_goal_days_noted_at_idx on webhook_goal_days (noted_at);
