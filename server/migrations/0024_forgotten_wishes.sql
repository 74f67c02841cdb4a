-- Who waits for whom is forgotten in the statement that ends their sight, also if they see each other again before the next tick.

-- A connection outlasts circles and hiding. A locked row is one that somebody else deletes, or that the next tick checks: nothing waits
-- here, which prevents deadlocks.
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
