-- Somebody who moves to another company could be counted twice in a week, once in each: each count draws noise of its own, so they cancel.
alter table profiles add column counted_from text
  constraint profiles_counted_from_monday check (counted_from = monday_of(counted_from));
comment on column profiles.counted_from is
  'The Monday from which the weeks of the person are counted in the company report, after a move to another company. Null: all are.';
