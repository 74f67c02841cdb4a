-- The product: people, goals, sessions, totals, presence, connections, and what visitors leave.

create table profiles (
  id uuid primary key references auth.users on delete cascade,
  username text constraint profiles_username_length check (char_length(username) between 1 and 40),
  -- The username as it is compared, made by usernameKey(): engines differ in what lower() does beyond ASCII.
  username_key text constraint profiles_username_key unique,
  first_name text,
  last_name text,
  email text not null,
  -- What companyOf() says of the verified address; null for an address that belongs to no company.
  company_domain text,
  constraint profiles_username_has_key check ((username is null) = (username_key is null))
);
create index profiles_company_domain_idx on profiles (company_domain);

create table daily_goals (
  user_id uuid not null references profiles on delete cascade,
  -- 0 = Sunday to 6 = Saturday.
  day_of_week int not null constraint daily_goals_day_of_week check (day_of_week between 0 and 6),
  goal_minutes int not null constraint daily_goals_goal_minutes check (goal_minutes between 0 and 1440),
  primary key (user_id, day_of_week)
);

create table deeb_sessions (
  -- Made by the client, so that a start can be repeated after a lost answer. It is part of a key that begins with the
  -- person: an id of somebody else's session means nothing here.
  id uuid not null,
  user_id uuid not null references profiles on delete cascade,
  -- Whole seconds: what is added up later is what was shown, and nothing is lost to rounding.
  start_time timestamptz(0) not null,
  end_time timestamptz(0),
  is_active boolean not null generated always as (end_time is null) stored,
  -- Past 16 hours the server ends a forgotten session at that point.
  capped boolean not null default false,
  -- The person's zone at the start, and what it says of the session's days. 16 hours touch two local dates at the
  -- most, so one boundary is enough to split the session when it ends, in the same statement.
  time_zone text not null,
  start_date text not null constraint deeb_sessions_start_date_form check (start_date ~ '^\d{4}-\d{2}-\d{2}$'),
  next_date text not null constraint deeb_sessions_next_date_form check (next_date ~ '^\d{4}-\d{2}-\d{2}$'),
  next_date_starts_at timestamptz(0) not null,
  primary key (user_id, id),
  constraint deeb_sessions_forward check (end_time >= start_time),
  constraint deeb_sessions_at_most_16_hours check (end_time <= start_time + interval '16 hours'),
  constraint deeb_sessions_boundary_ahead check (next_date_starts_at > start_time and next_date > start_date)
);
-- One open session per person, whatever the number of devices.
create unique index deeb_sessions_one_open on deeb_sessions (user_id) where is_active;
create index deeb_sessions_open_since_idx on deeb_sessions (start_time) where is_active;
create index deeb_sessions_history_idx on deeb_sessions (user_id, start_time);

-- A start that was answered with another, open session: its id names that session too.
create table deeb_session_aliases (
  user_id uuid not null,
  alias uuid not null,
  session_id uuid not null,
  primary key (user_id, alias),
  foreign key (user_id, session_id) references deeb_sessions (user_id, id) on delete cascade
);

create table daily_stats (
  user_id uuid not null references profiles on delete cascade,
  -- The local date, YYYY-MM-DD, in the zone of the session that gave the time.
  date text not null constraint daily_stats_date_form check (date ~ '^\d{4}-\d{2}-\d{2}$'),
  total_seconds int not null constraint daily_stats_not_negative check (total_seconds >= 0),
  total_minutes int not null generated always as (total_seconds / 60) stored,
  primary key (user_id, date)
);

create table user_presence (
  user_id uuid primary key references profiles on delete cascade,
  is_in_deeb_mode boolean not null generated always as (current_session_id is not null) stored,
  current_session_id uuid,
  foreign key (user_id, current_session_id) references deeb_sessions (user_id, id)
);

create table team_connections (
  id uuid primary key,
  requester_id uuid not null references profiles on delete cascade,
  receiver_id uuid not null references profiles on delete cascade,
  status text not null constraint team_connections_status_known check (status in ('pending', 'accepted', 'declined')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint team_connections_not_oneself check (requester_id <> receiver_id)
);
-- One connection per pair, whichever way it was asked.
create unique index team_connections_one_per_pair
  on team_connections (least(requester_id, receiver_id), greatest(requester_id, receiver_id));
create index team_connections_requester_idx on team_connections (requester_id, status);
create index team_connections_receiver_idx on team_connections (receiver_id, status);

create table click_analytics (
  id uuid primary key,
  button_name text not null,
  page text not null,
  user_session text not null,
  created_at timestamptz not null
);

create table email_leads (
  id uuid primary key,
  email text not null constraint email_leads_email_normal check (email = lower(email) and length(email) <= 254),
  source text not null constraint email_leads_source_known check (source in ('coming_soon_page', 'main_coming_soon')),
  created_at timestamptz not null,
  constraint email_leads_once unique (email, source)
);
