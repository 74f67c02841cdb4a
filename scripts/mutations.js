/** The mutations of `npm run test:mutation`: `from`, which `file` contains once, becomes `to`, and a test in `test` must fail. */
export const MUTATIONS = [
  {
    what: 'anyone may quit anyone’s connection',
    file: 'server/src/team/quit-connection.ts',
    from: ' and :userId in (requester_id, receiver_id)',
    to: ' and :userId::uuid is not null',
    test: 'src/http/who-may-what.test.ts',
  },
  {
    what: 'people of other companies can be requested',
    file: 'server/src/team/request-connection.ts',
    from: 'on other.company_domain = me.company_domain',
    to: 'on true',
    test: 'src/http/who-may-what.test.ts',
  },
  {
    what: 'a requester sees the switch before the request is accepted',
    file: 'server/src/presence/who-sees.ts',
    from: " and status = 'accepted'\n    union select requester_id",
    to: '\n    union select requester_id',
    test: 'src/live/privacy.test.ts',
  },
  {
    what: 'a newcomer is seen by the fan-out before 24 hours are over',
    file: 'server/src/presence/who-sees.ts',
    from: 'other.visible_from <= :circlesAt',
    to: "other.visible_from <= 'infinity'",
    test: 'src/live/privacy.test.ts',
  },
  {
    what: 'people who hide see each other in circles',
    file: 'server/src/presence/who-sees.ts',
    from: 'and other.user_id not in (',
    to: 'or false and other.user_id not in (',
    test: 'src/circles/who-sees.test.ts',
  },
  {
    what: 'a requester sees that a request was declined',
    file: 'server/src/team/read-team.ts',
    from: "asked.status in ('pending', 'declined')",
    to: "asked.status = 'pending'",
    test: 'src/team/decline-secrecy.test.ts',
  },
  {
    what: 'a revoked auth session still counts as signed in',
    file: 'server/src/auth/auth-session/session-alive.ts',
    from: "if (session?.userId !== userId || !isBoundTo(session, binding)) return 'none'",
    to: "if (session === null) return 'active'",
    test: 'src/auth/sign-in/sign-out.test.ts',
  },
  {
    what: 'focus sessions are not split at midnight',
    file: 'server/src/focus/day-cut.ts',
    from: 'nextDateStartsAt: day.endsAt',
    to: 'nextDateStartsAt: new Date(day.endsAt.getTime() + 86_400_000)',
    test: 'src/stats/week.test.ts',
  },
  {
    what: 'no unique index on open focus sessions',
    file: 'server/migrations/0002_product.sql',
    from: 'create unique index deeb_sessions_one_open',
    to: 'create index deeb_sessions_one_open',
    test: 'src/focus/focus.test.ts',
  },
  {
    what: 'focus sessions may overlap',
    file: 'server/migrations/0005_history_and_corrections.sql',
    from: 'tstzrange(start_time, end_time) with &&',
    to: 'tstzrange(start_time, end_time) with =',
    test: 'src/sessions/concurrency.test.ts',
  },
  {
    what: 'a switch is published before it is committed',
    file: 'server/src/http/serve-change.ts',
    from: `const answer = await change(call)
      publish({ kind: 'presence', userId: call.actor.userId })`,
    to: `publish({ kind: 'presence', userId: call.actor.userId })
      await new Promise((done) => setTimeout(done, 100))
      const answer = await change(call)`,
    test: 'src/live/live.test.ts',
  },
  {
    what: 'a repeated stop moves the end (not idempotent)',
    file: 'server/src/focus/stop-focus.ts',
    from: 'and id = (select id from target) and is_active',
    to: 'and id = (select id from target)',
    test: 'src/focus/focus.test.ts',
  },
  {
    what: 'wrong passwords of a confirmation are not counted (brute force)',
    file: 'server/src/auth/sign-up/confirm.ts',
    from: 'set attempts = attempts + 1',
    to: 'set attempts = attempts',
    test: 'src/auth/sign-up/confirm.test.ts',
  },
  {
    what: 'an unverified second factor opens an auth session',
    file: 'server/src/auth/factors/verify-code.ts',
    from: "mfa_factors.status = 'verified' or not",
    to: 'true or not',
    test: 'src/auth/factors/threats.test.ts',
  },
]
