-- Status in chat: deeb mode shown in the chat of a person's company, by links that the person made.

create table status_links (
  id uuid primary key,
  -- Null: the link has ended. What it shows is cleared and its tokens are revoked, then the row is deleted.
  user_id uuid references profiles on delete set null,
  system text not null constraint status_links_system check (system in ('slack', 'microsoft', 'google', 'mattermost', 'zulip')),
  workspace text not null,
  account_id text not null,
  account_name text,
  workspace_name text,
  -- Encrypted, with the context 'status:' and the id. Null once the system has refused it.
  credentials bytea,
  refreshing_until timestamptz,
  refused_at timestamptz,
  is_on boolean not null default true,
  with_dnd boolean not null default true,
  words text constraint status_links_words check (char_length(words) between 1 and 60),
  changed_at timestamptz not null,
  test_until timestamptz,
  linked_at timestamptz not null,
  ended_at timestamptz,
  attempts int not null default 0,
  next_try_at timestamptz not null default '-infinity',
  constraint status_links_one_per_system unique (user_id, system),
  constraint status_links_refused check ((credentials is null) = (refused_at is not null))
);
comment on table status_links is 'A chat system in which a person shows deeb mode, by their own wish.';
comment on column status_links.id is 'The link.';
comment on column status_links.user_id is 'The person; empty once the link has ended.';
comment on column status_links.system is 'The chat system.';
comment on column status_links.workspace is 'The workspace, tenant or server there.';
comment on column status_links.account_id is 'The account of the person there.';
comment on column status_links.account_name is 'The name of that account.';
comment on column status_links.workspace_name is 'The name of the workspace.';
comment on column status_links.credentials is 'The encrypted tokens with which the status is set.';
comment on column status_links.refreshing_until is 'Until when a server asks for new tokens.';
comment on column status_links.refused_at is 'When the chat system refused the tokens, which were deleted then.';
comment on column status_links.is_on is 'Whether the status is set in deeb mode.';
comment on column status_links.with_dnd is 'Whether notifications there are paused too.';
comment on column status_links.words is 'The person''s own words for the status.';
comment on column status_links.changed_at is 'When the person last changed this.';
comment on column status_links.test_until is 'Until when the status is set as a test.';
comment on column status_links.linked_at is 'When the person connected it.';
comment on column status_links.ended_at is 'When the link ended.';
comment on column status_links.attempts is 'How often clearing it was tried after its end.';
comment on column status_links.next_try_at is 'When that is tried next.';
-- An account in a chat belongs to one person: revoking its token would end the link of the other one.
create unique index status_links_account_idx on status_links (system, workspace, account_id) where user_id is not null;
create index status_links_ended_idx on status_links (next_try_at) where user_id is null;

create function end_status_link() returns trigger language plpgsql as $$
begin
  new.ended_at := now();
  new.account_name := null;
  new.workspace_name := null;
  new.words := null;
  new.is_on := false;
  new.test_until := null;
  new.attempts := 0;
  new.next_try_at := '-infinity';
  return new;
end $$;
create trigger status_links_ended before update on status_links
  for each row when (new.user_id is null and old.user_id is not null) execute function end_status_link();

-- Blocked, switched off by the directory, or no longer of the company: nothing is shown for them any more.
create function end_status_links_of_leaver() returns trigger language plpgsql as $$
begin
  update status_links set user_id = null where user_id = new.id;
  return null;
end $$;
create trigger users_status_links_ended after update of banned_until, deactivated_at on auth.users
  for each row when (new.deactivated_at is not null and old.deactivated_at is null
    or new.banned_until is not null and new.banned_until is distinct from old.banned_until)
  execute function end_status_links_of_leaver();
create trigger profiles_status_links_ended after update of company_domain on profiles
  for each row when (new.company_domain is distinct from old.company_domain) execute function end_status_links_of_leaver();

create table status_signals (
  link_id uuid not null references status_links on delete cascade,
  part text not null constraint status_signals_part check (part in ('text', 'dnd')),
  -- The state that was applied last. Null: none since the status was cleared.
  done_wish text,
  -- Null: deeb has set nothing there.
  lease_until timestamptz,
  renew_at timestamptz,
  -- Encrypted, with the context 'status:', the id and the part.
  memo bytea,
  attempts int not null default 0,
  next_try_at timestamptz not null default '-infinity',
  result text constraint status_signals_result check (result in ('set', 'cleared', 'left', 'later', 'failed')),
  result_at timestamptz,
  primary key (link_id, part)
);
comment on table status_signals is 'What deeb has set in a chat system: the text of the status, or "do not disturb".';
comment on column status_signals.link_id is 'The link.';
comment on column status_signals.part is 'Text or "do not disturb".';
comment on column status_signals.done_wish is 'The focus session, with its target, for which it was set last.';
comment on column status_signals.lease_until is 'When it ends by itself.';
comment on column status_signals.renew_at is 'When it is renewed.';
comment on column status_signals.memo is 'Encrypted: what deeb set, and the status that was there before.';
comment on column status_signals.attempts is 'How often the change was tried.';
comment on column status_signals.next_try_at is 'When it is tried next.';
comment on column status_signals.result is 'How the last change went.';
comment on column status_signals.result_at is 'When that was.';

-- The rate limit of one system and workspace, which all servers share.
create table status_queues (
  system text not null,
  workspace text not null,
  part text not null,
  -- If calls are spread evenly.
  next_at timestamptz not null default '-infinity',
  paused_until timestamptz not null default '-infinity',
  primary key (system, workspace, part)
);
comment on table status_queues is 'How fast this server may call one workspace of a chat system.';
comment on column status_queues.system is 'The chat system.';
comment on column status_queues.workspace is 'The workspace, tenant or server there.';
comment on column status_queues.part is 'Text or "do not disturb".';
comment on column status_queues.next_at is 'When the next call is free.';
comment on column status_queues.paused_until is 'Until when the system asked to wait.';

create table status_hidden (
  company_domain text not null,
  system text not null,
  primary key (company_domain, system)
);
comment on table status_hidden is 'A chat system that a company does not allow.';
comment on column status_hidden.company_domain is 'The company.';
comment on column status_hidden.system is 'The chat system.';
