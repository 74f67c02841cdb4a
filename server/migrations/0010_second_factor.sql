-- When the owner of a session last proved who they are; null for sessions from before: they have to prove it again before
-- they add or remove a second factor.
alter table auth.sessions add column proven_at timestamptz;

-- Wrong codes of a second factor: all of a person, and those of one session, which a right code there forgives.
alter table auth.users add column failed_codes int not null default 0, add column last_failed_code_at timestamptz;
alter table auth.sessions add column failed_codes int not null default 0;

-- A sign-in computes a hash of every cost in use, and looks here for which those are.
create index users_hash_cost_idx on auth.users (split_part(encrypted_password, '$', 4))
  where encrypted_password like '$argon2id$%';
create index pending_signups_hash_cost_idx on auth.pending_signups (split_part(password_hash, '$', 4))
  where password_hash like '$argon2id$%';
