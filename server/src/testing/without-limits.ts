import { createRateLimitStore, type RateLimitStore } from '../limits/rate-limit-store.ts'

/** A rate limit store that counts but never refuses, for tests in which a few users make the calls of many. */
export function withoutLimits(): RateLimitStore {
  const limitStore = createRateLimitStore()
  return {
    ...limitStore,
    take(rule, key, now) {
      limitStore.take(rule, key, now)
      return 0
    },
  }
}

/** SQL that removes the limit of 300 sessions per local date from a test database: the count of starts stays 1. */
export const WITHOUT_DAILY_LIMIT = `create or replace function count_start(person uuid, local_date text) returns void
  language sql as $$
    insert into daily_start_counts (user_id, date, starts) values (person, local_date, 1)
    on conflict (user_id, date) do update set starts = 1
  $$`
