-- Requests can be taken back. A pending one is deleted. A declined one stays declined for its receiver, and looks deleted to its
-- requester: a decline stays secret.
alter table team_connections
  add column taken_back boolean not null default false,
  add constraint team_connections_taken_back_declined check (status = 'declined' or not taken_back);
-- These look deleted to the requester already, since the two are no longer colleagues.
update team_connections set taken_back = true
from profiles as requester, profiles as receiver
where status = 'declined' and requester.id = requester_id and receiver.id = receiver_id
  and coalesce(requester.company_domain <> receiver.company_domain, true);

-- The people of a company in a fixed random order, since ids are random.
create index profiles_company_idx on profiles (company_domain, id);
