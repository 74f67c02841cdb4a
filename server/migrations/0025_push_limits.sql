-- Push messages of the last hour count for their person, also after their browser has unsubscribed.

alter table push_messages add column user_id uuid references profiles on delete cascade;
update push_messages set user_id = subscription.user_id from push_subscriptions as subscription
  where subscription.session_id = push_messages.session_id;
alter table push_messages
  alter column user_id set not null,
  -- Null: the browser has unsubscribed, so it is not sent any more.
  alter column session_id drop not null,
  drop constraint push_messages_session_id_fkey,
  add constraint push_messages_session_id_fkey foreign key (session_id) references push_subscriptions on delete set null;
create index push_messages_user_id_idx on push_messages (user_id, tried_at);
