-- How many mails the whole server wrote in the last hour is asked before each one that a stranger can cause.
create index outbox_created_at_idx on auth.outbox (created_at);
