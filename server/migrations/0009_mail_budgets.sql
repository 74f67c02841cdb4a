-- Who caused a mail: the network of an anonymous caller or the id of an account. Budgets count by it.
alter table auth.outbox add column asked_by text;
drop index auth.outbox_created_at_idx;
create index outbox_kind_idx on auth.outbox (kind, created_at);

-- One waiting sign-up per address and caller. Sign-ups from before have no caller.
alter table auth.pending_signups add column caller_network text,
  add constraint pending_signups_one_per_caller unique (email, caller_network);

-- The day (UTC) for which failed_attempts was last computed: it halves with each day after that.
alter table auth.users add column failed_attempts_on date not null default current_date;
