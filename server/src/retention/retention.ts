import { REPLAY_WINDOW_DAYS } from '@deeb/core/focus/device-times'

/** Rows that `when` says of are deleted. `:now` is the time. */
interface Kept {
  /** In words, for docs/self-hosting.md. */
  until: string
  when: string
}

/**
 * How long each table keeps what it is given, so that none grows for ever: the rows that go, or why all stay. A table
 * without an answer fails the test.
 */
export const RETENTION: Readonly<Record<string, Kept | string>> = {
  'auth.pending_signups': {
    // Until then the mail can be sent again.
    until: '7 days after its link has expired',
    when: "expires_at < :now::timestamptz - interval '7 days'",
  },
  'auth.one_time_tokens': {
    until: '1 day after it has expired',
    when: "expires_at < :now::timestamptz - interval '1 day'",
  },
  'auth.mfa_challenges': { until: '1 hour', when: "created_at < :now::timestamptz - interval '1 hour'" },
  'auth.sessions': {
    until: '1 day after it expires: 30 days without a visit, 90 days in total',
    when: `not_after < :now::timestamptz - interval '1 day' or refreshed_at < :now::timestamptz - interval '31 days'`,
  },
  'auth.known_addresses': {
    until: '90 days after the last visit',
    when: "last_seen < :now::timestamptz - interval '90 days'",
  },
  'auth.outbox': {
    until: '30 days after it was sent or given up',
    when: `sent_at < :now::timestamptz - interval '30 days'
      or next_try_at = 'infinity' and created_at < :now::timestamptz - interval '30 days'`,
  },
  'auth.audit_log': { until: '180 days', when: "at < :now::timestamptz - interval '180 days'" },
  deeb_sessions: {
    // Until then a late repeat may name a deleted one.
    until: 'as its account: a person’s own history. Deleted ones go after 8 days',
    when: `discarded_at < :now::timestamptz - interval '${REPLAY_WINDOW_DAYS + 1} days'`,
  },
  daily_start_counts: {
    // A start can be 7 days late, in any time zone.
    until: '10 days',
    when: "date < to_char(:now::timestamptz at time zone 'UTC' - interval '10 days', 'YYYY-MM-DD')",
  },
  click_analytics: { until: '400 days', when: "created_at < :now::timestamptz - interval '400 days'" },
  'auth.users': 'until the account is deleted',
  'auth.identities': 'as its account',
  'auth.mfa_factors': 'as its account, which has a few at most',
  'auth.former_addresses': 'as its account; a change needs a password and an email',
  profiles: 'as its account',
  daily_goals: 'as its account, 7 at most',
  daily_goal_history: 'as its account: past days are judged by it; 7 a local date at most',
  deeb_session_aliases: 'as its session; with the sessions, 300 a local date at most',
  daily_stats: 'as its account: a person’s own history',
  weekly_stats: 'as its account',
  focus_totals: 'as its account, 1 row',
  user_presence: 'as its account, 1 row',
  team_connections:
    'until one side quits, leaves the company or deletes the account. A declined request stays when one side leaves; 1 a pair',
  email_leads: 'until `visitors forget` deletes it; 1 an address and list',
  schema_migrations: 'always: 1 row a migration',
}
