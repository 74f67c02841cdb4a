-- Only who looks for forgotten sessions asks for the open ones of everybody. Under `is_active`, as the reads of one person
-- ask, planners that had seen nobody in deeb mode took this index for those too, and read all open sessions for each.
drop index deeb_sessions_open_since_idx;
create index deeb_sessions_open_since_idx on deeb_sessions (start_time) where end_time is null;
