-- The report of a company: sums of its finished weeks, with noise, that never change again.

-- Whether the person is counted, in every week that is not counted yet.
alter table profiles add column in_report boolean not null default true;

create table company_reports (
  company_domain text primary key,
  -- The Monday from which weeks are counted. Only ever moved forward: no week is counted that people were not told of.
  first_week text not null constraint company_reports_monday check (first_week = monday_of(first_week))
);

-- Every number but `members` has noise, so it may be negative, or larger than `members`. No row is about a person.
create table company_weeks (
  company_domain text not null references company_reports,
  week_start text not null constraint company_weeks_monday check (week_start = monday_of(week_start)),
  -- Confirmed accounts, those who are not counted included.
  members int not null constraint company_weeks_at_least_ten check (members >= 10),
  -- With at least one minute.
  people int not null,
  -- At most 30 hours of each person.
  minutes int not null,
  -- Who reached the sum of their daily goals. Null: it was not counted, by REPORT_GOALS.
  goals int,
  -- Monday to Friday before 8, 8 to 10, ..., 16 to 18, after 18: each person adds 1,000 in all.
  times int[] not null constraint company_weeks_times check (array_length(times, 1) = 7),
  -- Monday, ..., Friday, the weekend: each person adds 1,000 in all.
  days int[] not null constraint company_weeks_days check (array_length(days, 1) = 6),
  -- The mean size of the noise, in people.
  blur int not null constraint company_weeks_blur check (blur between 4 and 50),
  counted_at timestamptz not null,
  primary key (company_domain, week_start),
  -- Not before Thursday: until then, devices may still report what they did offline.
  constraint company_weeks_finished check (counted_at >= (week_start::date + 10)::timestamp at time zone 'UTC')
);

-- A second draw of noise for the same week would tell more than the first one.
create function never_again() returns trigger language plpgsql as $$
begin
  raise exception 'A counted week never changes.' using errcode = 'restrict_violation';
end $$;
create trigger company_weeks_frozen before update or delete on company_weeks for each row execute function never_again();
create trigger company_weeks_kept before truncate on company_weeks for each statement execute function never_again();
