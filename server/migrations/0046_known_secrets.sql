create table known_secrets (
  fingerprint bytea primary key,
  first_used_at timestamptz not null
);
comment on table known_secrets is 'The secrets of the server that this database belongs to, so that no server starts with another one.';
comment on column known_secrets.fingerprint is 'What is derived from the secret, to recognize it. It does not tell the secret.';
comment on column known_secrets.first_used_at is 'When a server started with it first.';
