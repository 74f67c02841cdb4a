interface PushInsert {
  /** SQL expressions of rows of `from`, which has a column `user_id`. */
  kind: string
  about: string
  /** How long the message is worth sending, as an SQL interval. */
  worth: string
  from: string
}

/** SQL: the insert that queues a push message to every browser of these people, due at `:now`. */
export function pushInsert({ kind, about, worth, from }: PushInsert): string {
  return `insert into push_messages (id, user_id, session_id, kind, about, created_at, expires_at, next_try_at)
    select gen_random_uuid(), user_id, session_id, ${kind}, ${about}, :now, :now::timestamptz + ${worth}, :now
    from ${from} join push_subscriptions using (user_id)`
}
