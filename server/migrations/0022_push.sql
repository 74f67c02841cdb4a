-- Push messages to browsers (Web Push), and who waits for whom to be free.

-- The key pair by which this server identifies itself to push services. Subscriptions are bound to it.
create table push_keys (
  id int primary key constraint push_keys_one_row check (id = 1),
  -- An uncompressed point of P-256.
  public_key bytea not null,
  -- Encrypted, with the context 'push-key'.
  private_key bytea not null,
  created_at timestamptz not null
);

-- Where to send push messages for one auth session, which is one browser.
create table push_subscriptions (
  session_id uuid primary key references auth.sessions on delete cascade,
  user_id uuid not null references profiles on delete cascade,
  endpoint text not null constraint push_subscriptions_endpoint_key unique,
  -- The keys of the browser, by which a message is encrypted for it alone.
  p256dh bytea not null constraint push_subscriptions_p256dh_length check (octet_length(p256dh) = 65),
  auth_secret bytea not null constraint push_subscriptions_auth_length check (octet_length(auth_secret) = 16),
  created_at timestamptz not null
);
create index push_subscriptions_user_id_idx on push_subscriptions (user_id);

-- Push messages to send, and those of the last hour, by which they are limited.
create table push_messages (
  id uuid primary key,
  session_id uuid not null references push_subscriptions on delete cascade,
  -- What it says, and the id of what it says that about. Its text is read when it is sent.
  kind text not null,
  about uuid not null,
  created_at timestamptz not null,
  -- It is not sent later.
  expires_at timestamptz not null,
  attempts int not null default 0,
  tried_at timestamptz,
  -- 'infinity' once it is sent or given up.
  next_try_at timestamptz not null
);
create index push_messages_due_idx on push_messages (next_try_at) where next_try_at < 'infinity';
create index push_messages_session_id_idx on push_messages (session_id);
create index push_messages_tried_at_idx on push_messages (tried_at);
create index push_messages_expires_at_idx on push_messages (expires_at);

-- "Tell me when Ann is free": the watcher waits for the target. Only the watcher ever learns of it.
create table free_alerts (
  watcher_id uuid not null references profiles on delete cascade,
  target_id uuid not null references profiles on delete cascade,
  asked_at timestamptz not null,
  -- When the target turned out to be free. The row waits until the watcher has seen it.
  due_at timestamptz,
  primary key (watcher_id, target_id),
  constraint free_alerts_not_oneself check (watcher_id <> target_id)
);
create index free_alerts_target_id_idx on free_alerts (target_id);

-- One push message per focus session that its user may have forgotten.
alter table deeb_sessions add column reminded_at timestamptz(0);
-- Whether the person wants them, where they have push messages.
alter table profiles add column still_on_reminders boolean not null default true;
