-- Door signs: a page for a display that shows a person's deeb mode, or that of those members of a circle who agreed.

-- A circle's sign belongs to the membership of its maker, and ends with it.
create table signs (
  id uuid primary key,
  user_id uuid not null references profiles on delete cascade,
  circle_id uuid constraint signs_circle_key unique,
  label text not null constraint signs_label_length check (char_length(label) between 1 and 40),
  token_hash bytea not null constraint signs_token_key unique check (octet_length(token_hash) = 32),
  shows_name boolean not null,
  shows_until boolean not null,
  created_at timestamptz not null,
  last_seen_at timestamptz,
  constraint signs_circle_fkey foreign key (circle_id, user_id) references circle_members (circle_id, user_id) on delete cascade,
  constraint signs_circle_id_key unique (id, circle_id),
  constraint signs_of_circle check (circle_id is null or not shows_name and not shows_until)
);
comment on table signs is 'A door sign: a page for a display that shows deeb mode.';
comment on column signs.id is 'The sign. It is no secret.';
comment on column signs.user_id is 'The person who made it, and whom it shows unless it is of a circle.';
comment on column signs.circle_id is 'The circle whose members it shows; none for a sign of one person.';
comment on column signs.label is 'Where it hangs, as the person named it.';
comment on column signs.token_hash is 'SHA-256 of the secret in its link. The secret itself is not stored.';
comment on column signs.shows_name is 'Whether it shows the name of the person.';
comment on column signs.shows_until is 'Whether it shows since when and until when the person is in deeb mode.';
comment on column signs.created_at is 'When it was made.';
comment on column signs.last_seen_at is 'When a display last read it, up to five minutes late.';
create index signs_user_id_idx on signs (user_id);

-- A member's agreement is for one sign: a new sign of the circle starts without any. It ends with the membership.
create table sign_agreements (
  sign_id uuid not null,
  circle_id uuid not null,
  user_id uuid not null,
  shows_name boolean not null,
  agreed_at timestamptz not null,
  primary key (sign_id, user_id),
  constraint sign_agreements_sign_fkey foreign key (sign_id, circle_id) references signs (id, circle_id) on delete cascade,
  constraint sign_agreements_member_fkey foreign key (circle_id, user_id)
    references circle_members (circle_id, user_id) on delete cascade
);
comment on table sign_agreements is 'Which members agreed to be on the sign of a circle.';
comment on column sign_agreements.sign_id is 'The sign of a circle.';
comment on column sign_agreements.circle_id is 'The circle.';
comment on column sign_agreements.user_id is 'The member who agreed to be on it.';
comment on column sign_agreements.shows_name is
  'Whether the member agreed to be named. Names are shown only if all members on the sign did.';
comment on column sign_agreements.agreed_at is 'When the member agreed.';
create index sign_agreements_member_idx on sign_agreements (circle_id, user_id);
create index sign_agreements_user_id_idx on sign_agreements (user_id);

-- An account that is switched off is on no sign, and does not return by itself.
create function end_agreements_of_account() returns trigger language plpgsql as $$
begin
  delete from public.sign_agreements where user_id = new.id;
  return null;
end $$;
create trigger users_agreements_ended after update of banned_until, deactivated_at on auth.users
  for each row when (new.banned_until is not null or new.deactivated_at is not null) execute function end_agreements_of_account();

-- Somebody who hides from a member would be seen by that member on the sign. They may agree again, knowing that.
create function end_agreements_of_hiding() returns trigger language plpgsql as $$
begin
  delete from sign_agreements where user_id = new.user_id
    and circle_id in (select circle_id from circle_members where user_id = new.hidden_from);
  return null;
end $$;
create trigger hidden_people_agreements_ended after insert on hidden_people
  for each row execute function end_agreements_of_hiding();
