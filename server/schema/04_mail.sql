create table auth.outbox (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  subject text not null,
  -- Removed once sent, like the link: a dump of the database has no usable link.
  body text not null,
  attempts int not null default 0,
  last_error text,
  created_at timestamptz not null,
  next_try_at timestamptz not null,
  sent_at timestamptz,
  -- The network of an anonymous caller or the id of an account. Budgets count by it.
  asked_by text,
  unsubscribe_url text
);
comment on table auth.outbox is 'An email to send, and whether it was sent.';
comment on column auth.outbox.id is 'The email.';
comment on column auth.outbox.kind is 'What it is about.';
comment on column auth.outbox.recipient is 'The address of the recipient.';
comment on column auth.outbox.subject is 'Its subject.';
comment on column auth.outbox.body is 'Its text; removed once it is sent.';
comment on column auth.outbox.attempts is 'How often sending was tried.';
comment on column auth.outbox.last_error is 'What the mail server answered to the last attempt.';
comment on column auth.outbox.created_at is 'When it was written.';
comment on column auth.outbox.next_try_at is 'When it is tried next.';
comment on column auth.outbox.sent_at is 'When it was sent.';
comment on column auth.outbox.asked_by is 'The account or network that caused it, for a limit.';
comment on column auth.outbox.unsubscribe_url is 'The link that stops such emails; removed once it is sent.';
create index outbox_due_idx on auth.outbox (next_try_at) where sent_at is null;
create index outbox_recipient_idx on auth.outbox (recipient, created_at);
create index outbox_kind_idx on auth.outbox (kind, created_at);
