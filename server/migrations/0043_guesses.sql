-- Wrong guesses of passwords, so that several servers judge no more of them than one. Unlogged: a crash forgets them, as the end of a
-- server did before, and they cost the write-ahead log nothing.
create unlogged table auth.guesses (
  key bytea primary key constraint guesses_key_length check (octet_length(key) = 32),
  misses int not null constraint guesses_misses_not_negative check (misses >= 0),
  last_at timestamptz not null,
  wait_until timestamptz
);
create index guesses_last_at on auth.guesses (last_at);
comment on table auth.guesses is 'Wrong guesses of passwords, which delay the next ones.';
comment on column auth.guesses.key is 'A hash, with a key that is not in the database, of what was guessed at and from where.';
comment on column auth.guesses.misses is 'How many guesses in a row were wrong. A guess that is being checked counts as wrong.';
comment on column auth.guesses.last_at is 'When the last one began.';
comment on column auth.guesses.wait_until is 'Until when further ones are refused.';

-- Counts a miss for each key and returns 0, or counts nothing and returns the seconds to wait. `free` misses cost nothing, the next ones 1,
-- 2, 4 ... `max_seconds`; they expire a day after the last one. A function, because its second statement has to see what it waited for.
create function auth.count_guess(keys bytea[], free int[], max_seconds int[], at timestamptz) returns int language plpgsql as $$
declare
  wait_seconds int;
begin
  insert into auth.guesses (key, misses, last_at) select asked, 0, at from unnest(keys) as asked order by asked
    on conflict do nothing;
  perform from auth.guesses where key = any(keys) order by key for update;
  select ceil(extract(epoch from max(wait_until) - at)) into wait_seconds from auth.guesses where key = any(keys);
  if wait_seconds > 0 then return wait_seconds; end if;
  update auth.guesses set misses = 0 where key = any(keys) and last_at <= at - interval '1 day';
  update auth.guesses set misses = misses + 1, last_at = at,
    wait_until = case when misses >= asked.free
      then at + make_interval(secs => least(asked.max_seconds, power(2, least(misses - asked.free, 30)))) end
  from unnest(keys, free, max_seconds) as asked (key, free, max_seconds) where guesses.key = asked.key;
  return 0;
end $$;
