-- What the tables of the company report and their columns mean.

comment on column profiles.in_report is 'Whether the person is counted in the company report.';
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
comment on table company_reports is 'From when on the weeks of a company are counted.';
comment on column company_reports.company_domain is 'The company.';
comment on column company_reports.first_week is 'The Monday of the first counted week.';
