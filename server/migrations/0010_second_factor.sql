-- A sign-in computes a hash of every cost in use, and looks here for which those are.
create index users_hash_cost_idx on auth.users (split_part(encrypted_password, '$', 4))
  where encrypted_password like '$argon2id$%';
create index pending_signups_hash_cost_idx on auth.pending_signups (split_part(password_hash, '$', 4))
  where password_hash like '$argon2id$%';
