-- Whom a person lets interrupt a session: the other person of a connection, or the members of a circle. It ends with either.
create table knock_allowances (
  user_id uuid not null references profiles on delete cascade,
  id uuid not null,
  connection_id uuid references team_connections on delete cascade,
  circle_id uuid,
  primary key (user_id, id),
  constraint knock_allowances_of_one check (num_nonnulls(connection_id, circle_id) = 1 and id in (connection_id, circle_id)),
  constraint knock_allowances_member_fkey foreign key (circle_id, user_id) references circle_members on delete cascade
);
comment on table knock_allowances is 'The connections and circles whose people may knock at a person. Nobody else can read it.';
comment on column knock_allowances.user_id is 'The person.';
comment on column knock_allowances.id is 'The connection or circle.';
comment on column knock_allowances.connection_id is 'The same, if it is a connection.';
comment on column knock_allowances.circle_id is 'The same, if it is a circle.';
create index knock_allowances_connection_idx on knock_allowances (connection_id);
create index knock_allowances_circle_idx on knock_allowances (circle_id);

create table knocks (
  id uuid primary key,
  sender_id uuid not null references profiles on delete cascade,
  receiver_id uuid not null references profiles on delete cascade,
  session_id uuid not null,
  asked_at timestamptz not null,
  answer text constraint knocks_answer_known check (answer in ('now', 'soon', 'later')),
  constraint knocks_pair_key unique (sender_id, receiver_id)
);
comment on table knocks is 'It can''t wait: somebody interrupts a session of somebody who allows it.';
comment on column knocks.id is 'The knock.';
comment on column knocks.sender_id is 'Who knocks.';
comment on column knocks.receiver_id is 'At whom.';
comment on column knocks.session_id is 'The session of the receiver.';
comment on column knocks.asked_at is 'When.';
comment on column knocks.answer is 'When the receiver comes: now, soon or later. Empty until they answer.';
create index knocks_receiver_idx on knocks (receiver_id);
create index knocks_asked_at_idx on knocks (asked_at);
comment on table auth.spent_tokens is 'Hashes of one-time answers, and of knocks that count against a limit, so that none counts twice.';
