-- Push messages to browsers (Web Push).

-- The key pair by which this server identifies itself to push services. Subscriptions are bound to it.
create table push_keys (
  id int primary key constraint push_keys_one_row check (id = 1),
  -- An uncompressed point of P-256.
  public_key bytea not null,
  -- Encrypted, with the context 'push-key'.
  private_key bytea not null,
  created_at timestamptz not null
);
comment on table push_keys is 'The keys by which this server sends notifications.';
comment on column push_keys.id is 'Always 1.';
comment on column push_keys.public_key is 'The public key.';
comment on column push_keys.private_key is 'The encrypted private key.';
comment on column push_keys.created_at is 'When they were made.';

-- Of one auth session, which is one browser.
create table push_subscriptions (
  session_id uuid primary key references auth.sessions on delete cascade,
  user_id uuid not null references profiles on delete cascade,
  endpoint text not null constraint push_subscriptions_endpoint_key unique,
  -- The keys of the browser, by which a message is encrypted for it alone.
  p256dh bytea not null constraint push_subscriptions_p256dh_length check (octet_length(p256dh) = 65),
  auth_secret bytea not null constraint push_subscriptions_auth_length check (octet_length(auth_secret) = 16),
  created_at timestamptz not null
);
comment on table push_subscriptions is 'Where to send notifications for one browser.';
comment on column push_subscriptions.session_id is 'The sign-in of that browser.';
comment on column push_subscriptions.user_id is 'The person.';
comment on column push_subscriptions.endpoint is 'The address of the browser at its push service.';
comment on column push_subscriptions.p256dh is 'A public key of the browser, to encrypt messages for it.';
comment on column push_subscriptions.auth_secret is 'A secret of the browser, to encrypt messages for it.';
comment on column push_subscriptions.created_at is 'When notifications were switched on.';
create index push_subscriptions_user_id_idx on push_subscriptions (user_id);

-- The outbox, and the messages of the last hour: they count against the limit of their person, also after the browser has unsubscribed.
create table push_messages (
  id uuid primary key,
  -- Null: the browser has unsubscribed, so it is not sent any more.
  session_id uuid references push_subscriptions on delete set null,
  -- The text is read when it is sent.
  kind text not null,
  about uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  attempts int not null default 0,
  tried_at timestamptz,
  -- 'infinity' once it is sent or given up.
  next_try_at timestamptz not null,
  user_id uuid not null references profiles on delete cascade
);
comment on table push_messages is 'A notification to send, without its text.';
comment on column push_messages.id is 'The notification.';
comment on column push_messages.session_id is 'The browser; empty once it has unsubscribed.';
comment on column push_messages.kind is 'What it is about: a colleague who is free, or a session that may be forgotten.';
comment on column push_messages.about is 'The colleague or the session.';
comment on column push_messages.created_at is 'When it was written.';
comment on column push_messages.expires_at is 'Until when it is worth sending.';
comment on column push_messages.attempts is 'How often it was tried.';
comment on column push_messages.tried_at is 'When it was last tried.';
comment on column push_messages.next_try_at is 'When it is tried next.';
comment on column push_messages.user_id is 'The person.';
create index push_messages_due_idx on push_messages (next_try_at) where next_try_at < 'infinity';
create index push_messages_session_id_idx on push_messages (session_id);
create index push_messages_tried_at_idx on push_messages (tried_at);
create index push_messages_expires_at_idx on push_messages (expires_at);
create index push_messages_user_id_idx on push_messages (user_id, tried_at);
