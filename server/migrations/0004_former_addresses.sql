-- The addresses an account had before: what was mailed there is held about its person too, and goes when they go.
create table auth.former_addresses (
  user_id uuid not null references auth.users on delete cascade,
  email text not null,
  -- When the account left the address. Later mail to it is somebody else's.
  until timestamptz not null,
  primary key (user_id, email)
);
