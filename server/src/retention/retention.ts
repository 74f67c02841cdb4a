import { REPLAY_WINDOW_DAYS } from '@deeb/core/focus/device-times'

/** A retention rule: rows that match the SQL condition `when` are purged. `:now` is the current time. */
interface RetentionRule {
  /** The rule as text, for the data list. */
  until: string
  when: string
}

/**
 * The retention of every table: a rule for the purge, or a text for tables that keep all rows. A test fails for a table
 * without an entry.
 */
export const RETENTION: Readonly<Record<string, RetentionRule | string>> = {
  'auth.pending_signups': {
    // Until then the user can request the email again.
    until: '7 days after its link expires',
    when: "expires_at < :now::timestamptz - interval '7 days'",
  },
  'auth.one_time_tokens': {
    until: '1 day after it expires',
    when: "expires_at < :now::timestamptz - interval '1 day'",
  },
  'auth.flow_state': { until: '1 hour', when: "created_at < :now::timestamptz - interval '1 hour'" },
  'auth.spent_tokens': { until: 'until it expires: 1 day at most', when: 'expires_at < :now' },
  'auth.guesses': {
    until: '1 day after the last wrong guess; 200,000 rows at most',
    when: `last_at < :now::timestamptz - interval '1 day'
      or last_at < (select last_at from auth.guesses order by last_at desc offset 200000 limit 1)`,
  },
  'auth.scim_tokens': { until: 'until it expires or its company is removed', when: 'expires_at < :now' },
  'auth.mfa_challenges': { until: '1 hour', when: "created_at < :now::timestamptz - interval '1 hour'" },
  'auth.sessions': {
    until: '1 day after it expires: 30 days without a visit, 90 days in total',
    when: `not_after < :now::timestamptz - interval '1 day' or refreshed_at < :now::timestamptz - interval '31 days'`,
  },
  'auth.personal_tokens': {
    until: '30 days after it expires; 20 rows per account at most',
    when: "expires_at < :now::timestamptz - interval '30 days'",
  },
  'auth.known_addresses': {
    until: '90 days after the last visit',
    when: "last_seen < :now::timestamptz - interval '90 days'",
  },
  'auth.outbox': {
    until: '30 days after it was sent or the server gave up',
    when: `sent_at < :now::timestamptz - interval '30 days'
      or next_try_at = 'infinity' and created_at < :now::timestamptz - interval '30 days'`,
  },
  'auth.audit_log': { until: '180 days', when: "at < :now::timestamptz - interval '180 days'" },
  deeb_sessions: {
    // A discarded session is a tombstone: a queued switch of the last 7 days may still contain its id.
    until:
      'as long as the account, or for `SESSIONS_KEPT_MONTHS` and up to 7 days more. Deleted sessions: 8 days. The last touch of a device: until the session ends, or until the question about a forgotten one is answered. The target: until the session ends',
    when: `discarded_at < :now::timestamptz - interval '${REPLAY_WINDOW_DAYS + 1} days'`,
  },
  interruption_presses: {
    // No repeat is taken later than 7 days after the end. A deleted session has its start as its end, and may be restored.
    until: '8 days after the end of the session; 1,000 rows per account at most',
    when: `exists (select from deeb_sessions as session where session.user_id = interruption_presses.user_id
      and session.id = session_id and end_time < :now::timestamptz - interval '${REPLAY_WINDOW_DAYS + 1} days')`,
  },
  daily_start_counts: {
    // A start can arrive 7 days late, in any time zone.
    until: '10 days',
    when: "date < to_char(:now::timestamptz at time zone 'UTC' - interval '10 days', 'YYYY-MM-DD')",
  },
  free_alerts: {
    until: '4 hours after it was asked for; once the colleague is free, until it was shown or 1 day',
    when: "coalesce(due_at < :now::timestamptz - interval '1 day', asked_at < :now::timestamptz - interval '4 hours')",
  },
  knock_allowances:
    'until the person withdraws it, or the connection or membership ends; 1 row per connection and circle at most',
  knocks: 'until the answer was shown; 1 hour at most',
  push_messages: {
    until: '1 hour after it was worth sending',
    when: "expires_at < :now::timestamptz - interval '1 hour'",
  },
  status_links: {
    until:
      'until the person disconnects the chat, leaves the company or deletes the account, and up to an hour more to clear the status there; 5 rows per account at most. The tokens: until the chat system refuses them',
    when: "user_id is null and ended_at < :now::timestamptz - interval '1 hour'",
  },
  webhook_deliveries: {
    // The endpoint may be deleted while a switch queues a message.
    until: '7 days, or until the webhook is deleted',
    when: `created_at < :now::timestamptz - interval '7 days'
      or not exists (select from webhook_endpoints as endpoint where endpoint.id = endpoint_id)`,
  },
  webhook_goal_days: { until: '7 days', when: "noted_at < :now::timestamptz - interval '7 days'" },
  click_analytics: { until: '400 days', when: "created_at < :now::timestamptz - interval '400 days'" },
  'auth.users': 'until the account is deleted',
  'auth.identities': 'as long as the account',
  'auth.mfa_factors': 'as long as the account; a few rows at most',
  'auth.mfa_recovery_codes': 'as long as the account; 10 rows at most',
  'auth.webauthn_credentials': 'as long as the account; 10 rows at most',
  'auth.sso_providers': 'until the administrator removes the company',
  'auth.sso_domains': 'until the administrator removes the domain or its company',
  'auth.second_factor_domains': 'until the administrator no longer requires it',
  'auth.scim_users': 'until the directory of the company or the person deletes it, or the company is removed',
  'auth.former_addresses': 'as long as the account; a change needs the password and an email',
  profiles: 'as long as the account',
  daily_goals: 'as long as the account; 7 rows at most',
  daily_goal_history: 'as long as the account, for the goals of past days; 7 rows per local date at most',
  deeb_session_aliases: 'as long as the session; sessions and aliases together: 300 rows per local date at most',
  daily_stats: 'as long as the account',
  weekly_stats: 'as long as the account',
  focus_totals: 'as long as the account; 1 row',
  user_presence: 'as long as the account; 1 row',
  team_connections:
    'until one side quits, leaves the company or deletes the account, or the requester takes the request back. A declined request stays when it is taken back and when one side leaves; 1 row per pair',
  push_subscriptions:
    'until push messages are switched off, the auth session ends or the push service says that it is gone; 10 rows per account at most',
  calendar_links:
    'until the person removes the link or replaces it, signs out all other devices, sets a new password or changes the address, moves to another company, is blocked or deactivated, or deletes the account; 1 row',
  status_signals: 'as long as the connection of the chat; 2 rows for each at most',
  status_queues: 'always; 2 rows per workspace at most',
  status_hidden: 'until the administrator allows the system again',
  webhook_endpoints: 'until the person deletes it; 10 rows per account at most',
  known_secrets: 'always; 1 row per secret',
  push_keys: 'always; 1 row',
  retention_marks: 'always; 1 row',
  circles: 'until its keeper or the administrator closes it, or its last member leaves',
  circle_members:
    'until the person leaves, is removed, moves to another company or deletes the account, or the circle is closed; 10 rows per person at most',
  signs: {
    until:
      '365 days after a display last read it, or until it is revoked, the account is switched off, or the person leaves the company or, for the sign of a circle, the circle; 5 rows per person at most',
    when: "coalesce(last_seen_at, created_at) < :now::timestamptz - interval '365 days'",
  },
  cases: {
    until:
      'until its owner revokes it or deletes the account, 5 rows per person at most; an unclaimed one for 730 days after it was printed',
    when: "user_id is null and since < :now::timestamptz - interval '730 days'",
  },
  quiet_times: 'until the keeper removes it, or the circle ends; 5 rows per circle at most',
  quiet_members: 'until the member takes no part any more, or leaves the circle; 1 row per member and circle at most',
  sign_agreements:
    'until the member withdraws it, hides from a member or leaves the circle, the account is switched off, or the sign ends; 1 row per member and circle at most',
  hidden_people: 'until the person shows them again, or one of the two deletes the account',
  company_reports: 'always; 1 row per company that had ten accounts. No row is about a person',
  company_weeks: 'always; 1 row per company and week. No row is about a person',
  email_leads: 'until `visitors forget` deletes it; 1 row per address and list',
  schema_migrations: 'always; 1 row per migration',
}
