-- The report of a company: sums of its finished weeks, with noise, that never change again.

create table company_reports (
  company_domain text primary key,
  -- Only ever moved forward: people know of each week before it is counted.
  first_week text not null constraint company_reports_monday check (first_week = monday_of(first_week))
);
comment on table company_reports is 'From when on the weeks of a company are counted.';
comment on column company_reports.company_domain is 'The company.';
comment on column company_reports.first_week is 'The Monday of the first counted week.';

-- Every number but `members` has noise, so it may be negative, or larger than `members`. No row is about a person.
create table company_weeks (
  company_domain text not null references company_reports,
  week_start text not null constraint company_weeks_monday check (week_start = monday_of(week_start)),
  -- People who are not counted are included.
  members int not null constraint company_weeks_at_least_ten check (members >= 10),
  people int not null,
  minutes int not null,
  -- Null: it was not counted, by REPORT_GOALS.
  goals int,
  -- Monday to Friday before 8, 8 to 10, ..., 16 to 18, after 18: each person adds 1,000 in all.
  times int[] not null constraint company_weeks_times check (array_length(times, 1) = 7),
  -- Monday, ..., Friday, the weekend: each person adds 1,000 in all.
  days int[] not null constraint company_weeks_days check (array_length(days, 1) = 6),
  blur int not null constraint company_weeks_blur check (blur between 4 and 50),
  counted_at timestamptz not null,
  primary key (company_domain, week_start),
  -- Not before Thursday: until then, devices may still report what they did offline.
  constraint company_weeks_finished check (counted_at >= (week_start::date + 10)::timestamp at time zone 'UTC')
);
comment on table company_weeks is 'A week of the company report: sums of the whole company, with noise.';
comment on column company_weeks.company_domain is 'The company.';
comment on column company_weeks.week_start is 'The Monday of the week.';
comment on column company_weeks.members is 'The number of confirmed accounts, without noise.';
comment on column company_weeks.people is 'About how many people had at least one minute.';
comment on column company_weeks.minutes is 'About how many minutes they had together, at most 30 hours of each person.';
comment on column company_weeks.goals is 'About how many people reached their weekly goal.';
comment on column company_weeks.times is 'About how the time is spread over the day, Monday to Friday.';
comment on column company_weeks.days is 'About how the time is spread over the week.';
comment on column company_weeks.blur is 'The mean size of the noise, in people.';
comment on column company_weeks.counted_at is 'When the week was counted, once.';

-- A second draw of noise for the same week would tell more than the first one.
create function never_again() returns trigger language plpgsql as $$
begin
  raise exception 'A counted week never changes.' using errcode = 'restrict_violation';
end $$;
create trigger company_weeks_frozen before update or delete on company_weeks for each row execute function never_again();
create trigger company_weeks_kept before truncate on company_weeks for each statement execute function never_again();
