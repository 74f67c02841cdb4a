-- What each table and column means, in one plain sentence. `npm run admin -- data` and docs/data.md are made from these comments.

comment on table profiles is 'A person, as colleagues know them.';
comment on column profiles.id is 'The person; the same id as that of the account.';
comment on column profiles.username is 'The name that the person chose in deeb.';
comment on column profiles.username_key is 'The username in the form in which names are compared.';
comment on column profiles.first_name is 'The first name, from the email address or the company account.';
comment on column profiles.last_name is 'The last name, from the email address or the company account.';
comment on column profiles.email is 'The confirmed email address.';
comment on column profiles.company_domain is 'The company, as the domain of the email address.';
comment on column profiles.first_name_key is 'The first name in the form in which names are compared.';
comment on column profiles.last_name_key is 'The last name in the form in which names are compared.';
comment on column profiles.search_text is 'Names and address, as the search for colleagues reads them.';
comment on column profiles.search_words is 'The same, cut into words.';
comment on column profiles.request_emails is 'Whether the person wants emails about connection requests.';
comment on column profiles.requests_seen_until is 'Up to when the person has seen requests.';
comment on column profiles.requests_emailed_at is 'When the last email about requests was sent.';
comment on column profiles.still_on_reminders is 'Whether the person wants to be reminded of a session that may be forgotten.';

comment on table daily_goals is 'The goal for each day of the week.';
comment on column daily_goals.user_id is 'The person.';
comment on column daily_goals.day_of_week is 'The day of the week, 0 for Sunday.';
comment on column daily_goals.goal_minutes is 'The goal in minutes.';
comment on column daily_goals.saved_at is 'When it was saved.';

comment on table daily_goal_history is 'Earlier goals, so that past days keep theirs.';
comment on column daily_goal_history.user_id is 'The person.';
comment on column daily_goal_history.day_of_week is 'The day of the week, 0 for Sunday.';
comment on column daily_goal_history.saved_at is 'When it was saved.';
comment on column daily_goal_history.goal_minutes is 'The goal in minutes.';
comment on column daily_goal_history.saved_on is 'The person''s local date of the save.';

comment on table deeb_sessions is 'A focus session: the time between switching on and off.';
comment on column deeb_sessions.id is 'The session.';
comment on column deeb_sessions.user_id is 'The person.';
comment on column deeb_sessions.start_time is 'When it began.';
comment on column deeb_sessions.end_time is 'When it ended; empty while it is open.';
comment on column deeb_sessions.is_active is 'Whether it is open.';
comment on column deeb_sessions.capped is 'Whether the server ended it after 16 hours.';
comment on column deeb_sessions.time_zone is 'The time zone of the device at its start.';
comment on column deeb_sessions.start_date is 'The local date of its start.';
comment on column deeb_sessions.next_date is 'The local date after that.';
comment on column deeb_sessions.next_date_starts_at is 'When that next date begins.';
comment on column deeb_sessions.cap_answered is 'Whether the person has said how long a forgotten session really was.';
comment on column deeb_sessions.discarded_at is 'When the person deleted it; empty otherwise.';
comment on column deeb_sessions.last_touch_at is 'The last press or key in the app on any device of the person, to about 15 minutes.';
comment on column deeb_sessions.still_on_answers is 'Which of the questions "Still in deeb mode?" the person has answered.';
comment on column deeb_sessions.reminded_at is 'When a notification reminded the person of it.';
comment on column deeb_sessions.target_minutes is 'How long the person means the open session to be; removed when it ends.';

comment on table deeb_session_aliases is 'A second id of a session, from a device that started it again.';
comment on column deeb_session_aliases.user_id is 'The person.';
comment on column deeb_session_aliases.alias is 'The second id.';
comment on column deeb_session_aliases.session_id is 'The session.';

comment on table daily_start_counts is 'How many sessions began on a day, for a limit against misuse.';
comment on column daily_start_counts.user_id is 'The person.';
comment on column daily_start_counts.date is 'The local date.';
comment on column daily_start_counts.starts is 'The number of sessions that began.';

comment on table daily_stats is 'The focus time of a day.';
comment on column daily_stats.user_id is 'The person.';
comment on column daily_stats.date is 'The local date.';
comment on column daily_stats.total_seconds is 'The focus time in seconds.';
comment on column daily_stats.total_minutes is 'The same in whole minutes.';

comment on table weekly_stats is 'The focus time of a week.';
comment on column weekly_stats.user_id is 'The person.';
comment on column weekly_stats.week_start is 'The Monday of the week.';
comment on column weekly_stats.total_minutes is 'The sum of the minutes of its days.';

comment on table focus_totals is 'All focus time, for the average week.';
comment on column focus_totals.user_id is 'The person.';
comment on column focus_totals.total_minutes is 'The sum of all minutes.';
comment on column focus_totals.active_weeks is 'The number of weeks with at least one minute.';

comment on table user_presence is 'Whether the person is in deeb mode now.';
comment on column user_presence.user_id is 'The person.';
comment on column user_presence.is_in_deeb_mode is 'Whether deeb mode is on.';
comment on column user_presence.current_session_id is 'The open focus session.';
comment on column user_presence.version is 'A number that grows with each change, so that the newest state wins.';

comment on table team_connections is 'A request between two colleagues to see each other, and its answer.';
comment on column team_connections.id is 'The connection.';
comment on column team_connections.requester_id is 'The person who asked.';
comment on column team_connections.receiver_id is 'The person who was asked.';
comment on column team_connections.status is 'Pending, accepted or declined; a declined request looks pending to the requester.';
comment on column team_connections.created_at is 'When the request was made.';
comment on column team_connections.updated_at is 'When it last changed.';
comment on column team_connections.taken_back is 'Whether the requester took a declined request back.';

comment on table circles is 'A group of colleagues who see each other''s deeb mode.';
comment on column circles.id is 'The circle.';
comment on column circles.company_domain is 'Its company.';
comment on column circles.name is 'Its name.';
comment on column circles.invite is 'The secret part of the link by which people join.';
comment on column circles.created_at is 'When it was created.';

comment on table circle_members is 'Who is in a circle.';
comment on column circle_members.circle_id is 'The circle.';
comment on column circle_members.user_id is 'The person.';
comment on column circle_members.company_domain is 'Their company, so that no stranger can be in it.';
comment on column circle_members.joined_at is 'When they joined.';
comment on column circle_members.visible_from is 'From when on they and the others see each other.';

comment on table hidden_people is 'Whom a person hides from in all circles.';
comment on column hidden_people.user_id is 'The person who hides; the other one does not see the row.';
comment on column hidden_people.hidden_from is 'The person from whom they hide.';
comment on column hidden_people.created_at is 'Since when.';

comment on table free_alerts is 'A wish to be notified when a colleague is free.';
comment on column free_alerts.watcher_id is 'The person with the wish; the other one does not see the row.';
comment on column free_alerts.target_id is 'The colleague.';
comment on column free_alerts.asked_at is 'When it was asked for.';
comment on column free_alerts.due_at is 'When the colleague was found to be free.';

comment on table push_subscriptions is 'Where to send notifications for one browser.';
comment on column push_subscriptions.session_id is 'The sign-in of that browser.';
comment on column push_subscriptions.user_id is 'The person.';
comment on column push_subscriptions.endpoint is 'The address of the browser at its push service.';
comment on column push_subscriptions.p256dh is 'A public key of the browser, to encrypt messages for it.';
comment on column push_subscriptions.auth_secret is 'A secret of the browser, to encrypt messages for it.';
comment on column push_subscriptions.created_at is 'When notifications were switched on.';

comment on table push_messages is 'A notification to send, without its text.';
comment on column push_messages.id is 'The notification.';
comment on column push_messages.session_id is 'The browser; empty once it has unsubscribed.';
comment on column push_messages.kind is 'What it is about: a colleague who is free, or a session that may be forgotten.';
comment on column push_messages.about is 'The colleague or the session.';
comment on column push_messages.created_at is 'When it was written.';
comment on column push_messages.expires_at is 'Until when it is worth sending.';
comment on column push_messages.attempts is 'How often it was tried.';
comment on column push_messages.tried_at is 'When it was last tried.';
comment on column push_messages.next_try_at is 'When it is tried next.';
comment on column push_messages.user_id is 'The person.';

comment on table auth.users is 'An account.';
comment on column auth.users.id is 'The account.';
comment on column auth.users.email is 'The confirmed email address.';
comment on column auth.users.email_domain is 'The part of the address after the @.';
comment on column auth.users.encrypted_password is 'A hash of the password (argon2id); empty for an account without one.';
comment on column auth.users.email_confirmed_at is 'When the address was confirmed.';
comment on column auth.users.raw_app_meta_data is 'By which ways the account signs in.';
comment on column auth.users.raw_user_meta_data is 'What a client stored with the account; the web app stores nothing.';
comment on column auth.users.last_sign_in_at is 'When somebody last signed in.';
comment on column auth.users.banned_until is 'Until when the administrator blocks the account.';
comment on column auth.users.failed_attempts is 'The number of wrong passwords, which halves each day.';
comment on column auth.users.created_at is 'When the account was created.';
comment on column auth.users.updated_at is 'When it last changed.';
comment on column auth.users.failed_attempts_on is 'The day on which that number was last computed.';
comment on column auth.users.failed_codes is 'The number of wrong codes of a second factor.';
comment on column auth.users.last_failed_code_at is 'When the last wrong code was entered.';
comment on column auth.users.deactivated_at is 'When the directory of the company switched the account off.';

comment on table auth.identities is 'A way in which an account signs in: by email, or by the company account.';
comment on column auth.identities.id is 'The way.';
comment on column auth.identities.user_id is 'The account.';
comment on column auth.identities.provider is 'Email, or the identity provider of the company.';
comment on column auth.identities.provider_id is 'The id of the person there.';
comment on column auth.identities.identity_data is 'What the provider said about the person, such as name and address.';
comment on column auth.identities.last_sign_in_at is 'When it was last used.';
comment on column auth.identities.created_at is 'When it was added.';
comment on column auth.identities.updated_at is 'When it last changed.';
comment on column auth.identities.sso_provider_id is 'The identity provider of the company.';
comment on column auth.identities.idp_refresh_token is 'An encrypted token to ask the provider daily whether the person is still there.';
comment on column auth.identities.vouched_at is 'When the provider last confirmed the person.';
comment on column auth.identities.recheck_at is 'When the provider is asked next.';

comment on table auth.sessions is 'One sign-in of one browser or device.';
comment on column auth.sessions.id is 'The sign-in.';
comment on column auth.sessions.user_id is 'The account.';
comment on column auth.sessions.aal is 'Whether a second factor was used.';
comment on column auth.sessions.amr is 'How and when the person proved who they are.';
comment on column auth.sessions.factor_id is 'The second factor that was used.';
comment on column auth.sessions.refresh_counter is 'How often the sign-in was renewed.';
comment on column auth.sessions.created_at is 'When the person signed in.';
comment on column auth.sessions.refreshed_at is 'When the device last renewed it.';
comment on column auth.sessions.not_after is 'When it ends at the latest.';
comment on column auth.sessions.user_agent is 'The name of browser and system that the device sent.';
comment on column auth.sessions.ip is 'The IP address of the sign-in.';
comment on column auth.sessions.binding is 'A hash of the cookie that binds it to its browser.';
comment on column auth.sessions.proven_at is 'When the person last proved who they are.';
comment on column auth.sessions.failed_codes is 'The number of wrong codes in this sign-in.';
comment on column auth.sessions.sso_provider_id is 'The identity provider that opened it.';
comment on column auth.sessions.sso_sid is 'The id of this sign-in at the provider.';

comment on table auth.mfa_factors is 'An authenticator app, or the recovery codes as a whole.';
comment on column auth.mfa_factors.id is 'The factor.';
comment on column auth.mfa_factors.user_id is 'The account.';
comment on column auth.mfa_factors.friendly_name is 'The name that the person gave it.';
comment on column auth.mfa_factors.factor_type is 'An app, or recovery codes.';
comment on column auth.mfa_factors.status is 'Whether it was confirmed by a first code.';
comment on column auth.mfa_factors.secret is 'The encrypted secret of the app.';
comment on column auth.mfa_factors.last_step is 'The time step of the last code, so that each code counts once.';
comment on column auth.mfa_factors.phone is 'Always empty; a part of the format of the account service.';
comment on column auth.mfa_factors.created_at is 'When it was added.';
comment on column auth.mfa_factors.updated_at is 'When it last changed.';

comment on table auth.mfa_challenges is 'A question for a code that is not answered yet.';
comment on column auth.mfa_challenges.id is 'The question.';
comment on column auth.mfa_challenges.factor_id is 'The second factor.';
comment on column auth.mfa_challenges.ip is 'The IP address of the device.';
comment on column auth.mfa_challenges.attempts is 'The number of wrong codes.';
comment on column auth.mfa_challenges.created_at is 'When it was asked.';

comment on table auth.mfa_recovery_codes is 'A recovery code, as a hash.';
comment on column auth.mfa_recovery_codes.factor_id is 'The recovery codes that it belongs to.';
comment on column auth.mfa_recovery_codes.code_hash is 'A keyed hash of the code.';
comment on column auth.mfa_recovery_codes.used_at is 'When it was used.';

comment on table auth.webauthn_credentials is 'A passkey.';
comment on column auth.webauthn_credentials.id is 'The passkey.';
comment on column auth.webauthn_credentials.user_id is 'The account.';
comment on column auth.webauthn_credentials.credential_id is 'Its id on the device.';
comment on column auth.webauthn_credentials.public_key is 'Its public key.';
comment on column auth.webauthn_credentials.sign_count is 'How often it was used, if the device counts.';
comment on column auth.webauthn_credentials.transports is 'How the device is connected, such as USB.';
comment on column auth.webauthn_credentials.aaguid is 'The model of the device or password manager.';
comment on column auth.webauthn_credentials.backup_eligible is 'Whether it can be synchronized between devices.';
comment on column auth.webauthn_credentials.backed_up is 'Whether it is synchronized.';
comment on column auth.webauthn_credentials.friendly_name is 'The name that the person gave it.';
comment on column auth.webauthn_credentials.created_at is 'When it was added.';
comment on column auth.webauthn_credentials.updated_at is 'When it last changed.';
comment on column auth.webauthn_credentials.last_used_at is 'When it was last used.';

comment on table auth.one_time_tokens is 'A link by email to reset the password or change the address, as a hash.';
comment on column auth.one_time_tokens.id is 'The link.';
comment on column auth.one_time_tokens.user_id is 'The account.';
comment on column auth.one_time_tokens.token_type is 'What it is for.';
comment on column auth.one_time_tokens.token_hash is 'A hash of its secret.';
comment on column auth.one_time_tokens.relates_to is 'The address that it was made for.';
comment on column auth.one_time_tokens.created_at is 'When it was made.';
comment on column auth.one_time_tokens.expires_at is 'When it expires.';
comment on column auth.one_time_tokens.by_admin is 'Whether the administrator made it.';

comment on table auth.pending_signups is 'A sign-up whose address is not confirmed.';
comment on column auth.pending_signups.id is 'The sign-up; becomes the id of the account.';
comment on column auth.pending_signups.email is 'The address that was entered.';
comment on column auth.pending_signups.password_hash is 'A hash of the password that was entered.';
comment on column auth.pending_signups.user_meta is 'What the client sent with it, such as the link of a circle.';
comment on column auth.pending_signups.token_hash is 'A hash of the secret of its link.';
comment on column auth.pending_signups.attempts is 'The number of wrong passwords at the confirmation.';
comment on column auth.pending_signups.created_at is 'When somebody signed up.';
comment on column auth.pending_signups.expires_at is 'When its link expires.';
comment on column auth.pending_signups.caller_network is 'The network of the IP address that signed up.';

comment on table auth.known_addresses is 'From where an account was used, to slow down guesses from elsewhere.';
comment on column auth.known_addresses.user_id is 'The account.';
comment on column auth.known_addresses.ip_key is 'The IP address, or the network of an IPv6 address.';
comment on column auth.known_addresses.last_seen is 'When it was last used from there.';

comment on table auth.former_addresses is 'An address that an account had before.';
comment on column auth.former_addresses.user_id is 'The account.';
comment on column auth.former_addresses.email is 'The former address.';
comment on column auth.former_addresses.until is 'When it was given up.';

comment on table auth.audit_log is 'What happened to an account, such as sign-ins and changed passwords.';
comment on column auth.audit_log.id is 'The event.';
comment on column auth.audit_log.at is 'When it happened.';
comment on column auth.audit_log.action is 'What happened.';
comment on column auth.audit_log.user_id is 'The account.';
comment on column auth.audit_log.ip is 'The IP address of the caller; the download leaves it out where it may be a stranger''s.';
comment on column auth.audit_log.detail is 'More about the event, such as the name of a passkey.';

comment on table auth.outbox is 'An email to send, and whether it was sent.';
comment on column auth.outbox.id is 'The email.';
comment on column auth.outbox.kind is 'What it is about.';
comment on column auth.outbox.recipient is 'The address of the recipient.';
comment on column auth.outbox.subject is 'Its subject.';
comment on column auth.outbox.body is 'Its text; removed once it is sent.';
comment on column auth.outbox.attempts is 'How often sending was tried.';
comment on column auth.outbox.last_error is 'What the mail server answered to the last attempt.';
comment on column auth.outbox.created_at is 'When it was written.';
comment on column auth.outbox.next_try_at is 'When it is tried next.';
comment on column auth.outbox.sent_at is 'When it was sent.';
comment on column auth.outbox.asked_by is 'The account or network that caused it, for a limit.';
comment on column auth.outbox.unsubscribe_url is 'The link that stops such emails; removed once it is sent.';

comment on table auth.flow_state is 'A sign-in by the company that is not complete.';
comment on column auth.flow_state.id is 'The sign-in.';
comment on column auth.flow_state.provider_id is 'The identity provider.';
comment on column auth.flow_state.auth_code_hash is 'A hash of the code that completes it.';
comment on column auth.flow_state.code_challenge is 'A value that only the browser that began can answer.';
comment on column auth.flow_state.linking_session_id is 'The sign-in to which the company account is added.';
comment on column auth.flow_state.claims is 'What the provider said about the person, such as name and address.';
comment on column auth.flow_state.idp_refresh_token is 'An encrypted token of the provider.';
comment on column auth.flow_state.proof_hash is 'A hash of the six digits that were sent by email.';
comment on column auth.flow_state.proof_attempts is 'How often somebody entered digits.';
comment on column auth.flow_state.created_at is 'When it began.';

comment on table auth.scim_users is 'What the directory of the company says about a person.';
comment on column auth.scim_users.id is 'The entry.';
comment on column auth.scim_users.provider_id is 'The company.';
comment on column auth.scim_users.user_name is 'The user name in the directory.';
comment on column auth.scim_users.user_name_key is 'The same in lower case.';
comment on column auth.scim_users.external_id is 'The id of the person in the directory.';
comment on column auth.scim_users.email is 'The address in the directory.';
comment on column auth.scim_users.given_name is 'The first name in the directory.';
comment on column auth.scim_users.family_name is 'The last name in the directory.';
comment on column auth.scim_users.display_name is 'The full name in the directory.';
comment on column auth.scim_users.department is 'The department in the directory; deeb only returns it to the directory.';
comment on column auth.scim_users.active is 'Whether the person may use deeb.';
comment on column auth.scim_users.user_id is 'The account of the person, if there is one.';
comment on column auth.scim_users.created_at is 'When the directory made the entry.';
comment on column auth.scim_users.updated_at is 'When it last changed.';

comment on table auth.scim_tokens is 'The access of a company''s directory.';
comment on column auth.scim_tokens.id is 'The access.';
comment on column auth.scim_tokens.provider_id is 'The company.';
comment on column auth.scim_tokens.token_hash is 'A hash of its token.';
comment on column auth.scim_tokens.created_at is 'When it was made.';
comment on column auth.scim_tokens.expires_at is 'When it expires.';
comment on column auth.scim_tokens.last_used_at is 'When the directory last used it.';

comment on table auth.sso_providers is 'The identity provider of a company.';
comment on column auth.sso_providers.id is 'The provider.';
comment on column auth.sso_providers.key is 'Its short name in addresses.';
comment on column auth.sso_providers.name is 'The name of the company on the sign-in button.';
comment on column auth.sso_providers.issuer is 'The address of the provider.';
comment on column auth.sso_providers.client_id is 'The id of deeb at the provider.';
comment on column auth.sso_providers.client_secret is 'The encrypted secret of deeb at the provider.';
comment on column auth.sso_providers.from_environment is 'Whether it comes from the settings.';
comment on column auth.sso_providers.trusts_email is 'Whether its addresses count as confirmed.';
comment on column auth.sso_providers.disabled_at is 'When it was switched off.';
comment on column auth.sso_providers.created_at is 'When it was added.';
comment on column auth.sso_providers.updated_at is 'When it last changed.';

comment on table auth.sso_domains is 'The email domains of a company with its own sign-in.';
comment on column auth.sso_domains.domain is 'The domain.';
comment on column auth.sso_domains.provider_id is 'The company.';
comment on column auth.sso_domains.only_sso is 'Whether its people sign in by the company only.';
comment on column auth.sso_domains.created_at is 'When it was added.';

comment on table auth.second_factor_domains is 'The companies that require a second factor.';
comment on column auth.second_factor_domains.domain is 'The email domain.';
comment on column auth.second_factor_domains.required_from is 'From which day on.';
comment on column auth.second_factor_domains.created_at is 'When it was decided.';

comment on table auth.spent_tokens is 'Hashes of one-time answers, so that none counts twice.';
comment on column auth.spent_tokens.hash is 'The hash.';
comment on column auth.spent_tokens.expires_at is 'When it is forgotten.';

comment on table email_leads is 'An address that a visitor left on a public page.';
comment on column email_leads.id is 'The entry.';
comment on column email_leads.email is 'The address.';
comment on column email_leads.source is 'The list.';
comment on column email_leads.created_at is 'When it was left.';
comment on column email_leads.purpose is 'What the visitor asked for.';

comment on table click_analytics is 'A press of a button on a public page.';
comment on column click_analytics.id is 'The press.';
comment on column click_analytics.button_name is 'The button.';
comment on column click_analytics.page is 'The page.';
comment on column click_analytics.user_session is 'A random number that is made for this press.';
comment on column click_analytics.created_at is 'When it was pressed.';

comment on table push_keys is 'The keys by which this server sends notifications.';
comment on column push_keys.id is 'Always 1.';
comment on column push_keys.public_key is 'The public key.';
comment on column push_keys.private_key is 'The encrypted private key.';
comment on column push_keys.created_at is 'When they were made.';

comment on table retention_marks is 'Up to when old focus sessions were deleted.';
comment on column retention_marks.id is 'Always 1.';
comment on column retention_marks.sessions_from is 'No session with time on this date or later was deleted for its age; in every download.';
comment on column retention_marks.sessions_purged_before is 'All sessions before this date are deleted.';

comment on table schema_migrations is 'The versions of the tables.';
comment on column schema_migrations.name is 'The change of the tables.';
comment on column schema_migrations.applied_at is 'When it was made.';
