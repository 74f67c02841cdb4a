/** Who sees data. Each but the last one includes those before it: the person whom a row is about sees it too. */
export type Audience =
  | 'oneself'
  | 'connections and circles'
  | 'colleagues by search'
  | 'everybody in the company, with noise'
  | 'administrator'

/**
 * Who sees the rows of each table, in the order of docs/data.md. `table.column` is an exception to its table. The columns that a
 * download leaves out (SECRETS) need none: nobody sees them in deeb.
 */
export const WHO_SEES: Readonly<Record<string, Audience>> = {
  profiles: 'oneself',
  'profiles.id': 'colleagues by search',
  'profiles.username': 'colleagues by search',
  'profiles.first_name': 'colleagues by search',
  'profiles.last_name': 'colleagues by search',
  'profiles.email': 'colleagues by search',
  'profiles.company_domain': 'colleagues by search',
  daily_goals: 'oneself',
  daily_goal_history: 'oneself',
  deeb_sessions: 'oneself',
  'deeb_sessions.start_time': 'connections and circles',
  'deeb_sessions.is_active': 'connections and circles',
  'deeb_sessions.target_minutes': 'connections and circles',
  deeb_session_aliases: 'oneself',
  daily_start_counts: 'oneself',
  daily_stats: 'oneself',
  weekly_stats: 'oneself',
  focus_totals: 'oneself',
  user_presence: 'connections and circles',
  'user_presence.current_session_id': 'oneself',
  'user_presence.version': 'administrator',
  'user_presence.revision': 'oneself',
  team_connections: 'oneself',
  circles: 'connections and circles',
  circle_members: 'connections and circles',
  hidden_people: 'oneself',
  free_alerts: 'oneself',
  company_weeks: 'everybody in the company, with noise',
  company_reports: 'everybody in the company, with noise',
  push_subscriptions: 'oneself',
  push_messages: 'oneself',
  calendar_links: 'oneself',
  'auth.users': 'oneself',
  'auth.identities': 'oneself',
  'auth.sessions': 'oneself',
  'auth.mfa_factors': 'oneself',
  'auth.mfa_challenges': 'oneself',
  'auth.mfa_recovery_codes': 'oneself',
  'auth.webauthn_credentials': 'oneself',
  'auth.one_time_tokens': 'oneself',
  'auth.pending_signups': 'administrator',
  'auth.known_addresses': 'oneself',
  'auth.former_addresses': 'oneself',
  'auth.audit_log': 'oneself',
  'auth.audit_log.id': 'administrator',
  'auth.outbox': 'oneself',
  'auth.flow_state': 'oneself',
  'auth.scim_users': 'oneself',
  'auth.scim_tokens': 'administrator',
  'auth.sso_providers': 'administrator',
  'auth.sso_domains': 'administrator',
  'auth.second_factor_domains': 'administrator',
  'auth.spent_tokens': 'administrator',
  email_leads: 'oneself',
  click_analytics: 'administrator',
  push_keys: 'administrator',
  retention_marks: 'administrator',
  schema_migrations: 'administrator',
}
