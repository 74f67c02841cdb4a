create table daily_goals (
  user_id uuid not null references profiles on delete cascade,
  day_of_week int not null constraint daily_goals_day_of_week check (day_of_week between 0 and 6),
  goal_minutes int not null constraint daily_goals_goal_minutes check (goal_minutes between 0 and 1440),
  -- '-infinity': it holds for all days before, from a version that did not know when.
  saved_at timestamptz not null,
  primary key (user_id, day_of_week)
);
comment on table daily_goals is 'The goal for each day of the week.';
comment on column daily_goals.user_id is 'The person.';
comment on column daily_goals.day_of_week is 'The day of the week, 0 for Sunday.';
comment on column daily_goals.goal_minutes is 'The goal in minutes.';
comment on column daily_goals.saved_at is 'When it was saved.';

-- A past day is compared with the goal at its end, so of several saves on a local date only the last one stays.
create table daily_goal_history (
  user_id uuid not null references profiles on delete cascade,
  day_of_week int not null,
  saved_at timestamptz not null,
  goal_minutes int not null,
  saved_on date not null,
  primary key (user_id, day_of_week, saved_on)
);
comment on table daily_goal_history is 'Earlier goals, so that past days keep theirs.';
comment on column daily_goal_history.user_id is 'The person.';
comment on column daily_goal_history.day_of_week is 'The day of the week, 0 for Sunday.';
comment on column daily_goal_history.saved_at is 'When it was saved.';
comment on column daily_goal_history.goal_minutes is 'The goal in minutes.';
comment on column daily_goal_history.saved_on is 'The person''s local date of the save.';
create index daily_goal_history_saved_at_idx on daily_goal_history (user_id, day_of_week, saved_at);
