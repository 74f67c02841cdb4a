-- New people are counted from the next Monday on too, so that Home can tell everybody before their first week.
comment on column profiles.counted_from is
  'The Monday from which the weeks of the person are counted in the company report: the next one after they join the company. Null: all are.';
