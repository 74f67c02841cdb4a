create table team_connections (
  id uuid primary key,
  requester_id uuid not null references profiles on delete cascade,
  receiver_id uuid not null references profiles on delete cascade,
  status text not null constraint team_connections_status_known check (status in ('pending', 'accepted', 'declined')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A pending request that is taken back is deleted. A declined one stays declined for its receiver, and looks deleted to its
  -- requester: a decline stays secret.
  taken_back boolean not null default false,
  constraint team_connections_not_oneself check (requester_id <> receiver_id),
  constraint team_connections_taken_back_declined check (status = 'declined' or not taken_back)
);
comment on table team_connections is 'A request between two colleagues to see each other, and its answer.';
comment on column team_connections.id is 'The connection.';
comment on column team_connections.requester_id is 'The person who asked.';
comment on column team_connections.receiver_id is 'The person who was asked.';
comment on column team_connections.status is 'Pending, accepted or declined; a declined request looks pending to the requester.';
comment on column team_connections.created_at is 'When the request was made.';
comment on column team_connections.updated_at is 'When it last changed.';
comment on column team_connections.taken_back is 'Whether the requester took a declined request back.';
-- One connection per pair, in either direction.
create unique index team_connections_one_per_pair
  on team_connections (least(requester_id, receiver_id), greatest(requester_id, receiver_id));
create index team_connections_requester_idx on team_connections (requester_id, status);
create index team_connections_receiver_idx on team_connections (receiver_id, status);
-- The pending requests of the last days, among all that were never answered.
create index team_connections_pending_idx on team_connections (created_at) where status = 'pending';
