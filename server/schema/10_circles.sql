-- Circles: people of one company who see each other's deeb mode, by a link instead of a request per pair.

create table circles (
  id uuid primary key,
  company_domain text not null,
  name text not null constraint circles_name_length check (char_length(name) between 1 and 40),
  -- Null: nobody can join now.
  invite text constraint circles_invite_key unique,
  created_at timestamptz not null,
  constraint circles_company_key unique (id, company_domain)
);
comment on table circles is 'A group of colleagues who see each other''s deeb mode.';
comment on column circles.id is 'The circle.';
comment on column circles.company_domain is 'Its company.';
comment on column circles.name is 'Its name.';
comment on column circles.invite is 'The secret part of the link by which people join.';
comment on column circles.created_at is 'When it was created.';

-- The member who joined first is the keeper. The foreign keys keep a circle within one company, whatever the code does.
create table circle_members (
  circle_id uuid not null,
  user_id uuid not null,
  company_domain text not null,
  joined_at timestamptz not null,
  visible_from timestamptz not null,
  primary key (circle_id, user_id),
  constraint circle_members_visible_after_joining check (visible_from >= joined_at),
  constraint circle_members_circle_fkey foreign key (circle_id, company_domain)
    references circles (id, company_domain) on delete cascade,
  constraint circle_members_user_fkey foreign key (user_id, company_domain)
    references profiles (id, company_domain) on delete cascade
);
comment on table circle_members is 'Who is in a circle.';
comment on column circle_members.circle_id is 'The circle.';
comment on column circle_members.user_id is 'The person.';
comment on column circle_members.company_domain is 'Their company, so that no stranger can be in it.';
comment on column circle_members.joined_at is 'When they joined.';
comment on column circle_members.visible_from is 'From when on they and the others see each other.';
create index circle_members_user_idx on circle_members (user_id);

-- The last one out deletes the circle, on every way out. The lock makes a concurrent join visible to the second statement.
create function delete_empty_circle() returns trigger language plpgsql as $$
begin
  perform from circles where id = old.circle_id for update;
  delete from circles where id = old.circle_id and not exists (select from circle_members where circle_id = old.circle_id);
  return null;
end $$;
create trigger circle_members_last_left after delete on circle_members for each row execute function delete_empty_circle();

-- In no circle do the two see each other. Only `user_id` can undo it.
create table hidden_people (
  user_id uuid not null references profiles on delete cascade,
  hidden_from uuid not null references profiles on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, hidden_from),
  constraint hidden_people_not_oneself check (user_id <> hidden_from)
);
comment on table hidden_people is 'Whom a person hides from in all circles.';
comment on column hidden_people.user_id is 'The person who hides; the other one does not see the row.';
comment on column hidden_people.hidden_from is 'The person from whom they hide.';
comment on column hidden_people.created_at is 'Since when.';
create index hidden_people_from_idx on hidden_people (hidden_from);
