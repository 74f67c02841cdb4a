import { createRateLimitStore, type RateLimitStore } from '../limits/rate-limit-store.ts'

/** Counts as the server does and refuses nothing, where one person stands for many. */
export function withoutLimits(): RateLimitStore {
  const limitStore = createRateLimitStore()
  return {
    ...limitStore,
    async take(rule, key, now) {
      await limitStore.take(rule, key, now)
      return 0
    },
  }
}

/** SQL that lifts the 300 sessions of a local date from a test database: starts are counted and never add up. */
export const WITHOUT_DAILY_LIMIT = `create or replace function count_start(person uuid, local_date text) returns void
  language sql as $$
    insert into daily_start_counts (user_id, date, starts) values (person, local_date, 1)
    on conflict (user_id, date) do update set starts = 1
  $$`
