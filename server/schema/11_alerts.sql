-- The watcher waits for the target to be free. Only the watcher ever learns of it.
create table free_alerts (
  watcher_id uuid not null references profiles on delete cascade,
  target_id uuid not null references profiles on delete cascade,
  asked_at timestamptz not null,
  -- The row waits until the watcher has seen it.
  due_at timestamptz,
  primary key (watcher_id, target_id),
  constraint free_alerts_not_oneself check (watcher_id <> target_id)
);
comment on table free_alerts is 'A wish to be notified when a colleague is free.';
comment on column free_alerts.watcher_id is 'The person with the wish; the other one does not see the row.';
comment on column free_alerts.target_id is 'The colleague.';
comment on column free_alerts.asked_at is 'When it was asked for.';
comment on column free_alerts.due_at is 'When the colleague was found to be free.';
create index free_alerts_target_id_idx on free_alerts (target_id);

-- A wish is deleted in the statement that ends the sight of the two, also if they see each other again before the next tick. A connection
-- outlasts circles and hiding. A locked row is deleted elsewhere, or checked by the next tick: nothing waits here, which prevents deadlocks.
create function forget_wishes(one uuid, other uuid) returns void language sql as $$
  delete from free_alerts where (watcher_id, target_id) in (
    select watcher_id, target_id from free_alerts
    where (watcher_id = one and target_id = coalesce(other, target_id) or target_id = one and watcher_id = coalesce(other, watcher_id))
      and not exists (select from team_connections where status = 'accepted'
        and (requester_id, receiver_id) in ((watcher_id, target_id), (target_id, watcher_id)))
    for update skip locked);
$$;

create function forget_wishes_of_pair() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'circle_members' then
    perform forget_wishes(old.user_id, null);
  elsif tg_table_name = 'hidden_people' then
    perform forget_wishes(new.user_id, new.hidden_from);
  else
    perform forget_wishes(old.requester_id, old.receiver_id);
  end if;
  return null;
end $$;
create trigger team_connections_wishes_forgotten after delete on team_connections
  for each row when (old.status = 'accepted') execute function forget_wishes_of_pair();
create trigger circle_members_wishes_forgotten after delete on circle_members
  for each row execute function forget_wishes_of_pair();
create trigger hidden_people_wishes_forgotten after insert on hidden_people
  for each row execute function forget_wishes_of_pair();
