-- A count without who, why or when. Corrected like the times of the session.
alter table deeb_sessions add column interruptions smallint not null default 0
  constraint deeb_sessions_interruptions_range check (interruptions between 0 and 99);
comment on column deeb_sessions.interruptions is 'How often the person was interrupted, by their own count.';
-- Whether somebody counts at all.
create index deeb_sessions_interrupted_idx on deeb_sessions (user_id) where interruptions > 0;

-- The ids of presses, so that a repeated one counts once, and never again after its undo. They are random, and no row has a time.
create table interruption_presses (
  user_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  counts boolean not null,
  primary key (user_id, id),
  foreign key (user_id, session_id) references deeb_sessions (user_id, id) on delete cascade
);
comment on table interruption_presses is 'A press of "interrupted?", so that a repeated one counts once.';
comment on column interruption_presses.user_id is 'The person.';
comment on column interruption_presses.id is 'A random number that the device made for the press.';
comment on column interruption_presses.session_id is 'The session.';
comment on column interruption_presses.counts is 'Whether it counts; not after its undo.';
create index interruption_presses_session_idx on interruption_presses (user_id, session_id);
