create table cases (
  id uuid primary key,
  user_id uuid references profiles on delete cascade,
  company_domain text constraint cases_of_company check (company_domain is not null or user_id is not null),
  code_hash bytea not null constraint cases_code_key unique check (octet_length(code_hash) = 32),
  since timestamptz not null
);
comment on table cases is 'A code on the case of earplugs. A tap on it switches deeb mode of its owner.';
comment on column cases.id is 'The code. It is no secret.';
comment on column cases.user_id is 'Its owner; nobody while a printed code of a company is unclaimed.';
comment on column cases.company_domain is 'The company whose administrator printed it; none if its owner made it.';
comment on column cases.code_hash is 'SHA-256 of the code. The code itself is not stored.';
comment on column cases.since is 'When it was made, or claimed.';
create index cases_user_id_idx on cases (user_id);
