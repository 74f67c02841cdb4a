import { randomUUID } from 'node:crypto'
import { LANGUAGES } from '@deeb/core/languages'
import { APP_PATHS, LEGAL_PATHS, SITE_PATHS, sitePathIn } from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import { YEAR_PATH } from '@deeb/core/stats/year'
import { aBrowser } from './push-service.ts'
import { type AnnsData, PROGRAMS, type Program, ROLES, type Role } from './roles.ts'

/**
 * The outcome of a call about Ann. Only 'changes' changes data of Ann.
 *
 *     refused   the caller is not signed in
 *     absent    the response is the same as for data that does not exist
 *     own       the response has only public data or data of the caller
 *     person    the response reveals who Ann is
 *     focus     the response reveals when Ann is in deeb mode
 *     interruptions   and how often she was interrupted
 *     changes   data about Ann has changed
 *
 * Any other outcome is the error code of the response.
 */
type Outcome = string

export interface Row {
  /** The input of the call: a JSON body, or the query of a GET. */
  input?: (data: AnnsData, now: Date) => object
  /** Sent as a form, as by a page without script. */
  isForm?: true
  /** The URL, if it differs from the route. */
  url?: (data: AnnsData) => string
  /** For administrators only: from this machine, or also with this key. */
  forAdmin?: 'here' | 'adminKey'
  /** For the directories of companies only. */
  isForDirectory?: true
  /** Whether the call names data of Ann. */
  isAboutAnn?: true
  outcomes: Readonly<Outcomes>
}

type Outcomes = Record<Role | Program, Outcome>

function forPrograms(outcome: Outcome): Record<Program, Outcome> {
  return Object.fromEntries(Object.keys(PROGRAMS).map((program) => [program, outcome])) as Record<Program, Outcome>
}

function forAll(outcome: Outcome): Outcomes {
  return {
    ...(Object.fromEntries(ROLES.map((role) => [role, outcome])) as Record<Role, Outcome>),
    ...forPrograms(outcome),
  }
}

/** `known` are the exceptions. A program of Ann is refused unless the row says that one of its scopes is enough. */
function signedIn(others: Outcome, known: Partial<Outcomes>): Outcomes {
  return { ...forAll(others), nobody: 'refused', unverified: 'refused', ...forPrograms('scope_needed'), ...known }
}

/** The same in the auth service, which knows no personal access tokens. */
function withAuthSession(others: Outcome, known: Partial<Outcomes>): Outcomes {
  return signedIn(others, { ...forPrograms('refused'), ...known })
}

/** Colleagues who are in Ann's circle or were, where they are like any other colleague. */
function ofCircle(outcome: Outcome): Partial<Record<Role, Outcome>> {
  return { former: outcome, newcomer: outcome, member: outcome, hidden: outcome }
}

const GOALS = [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, goalMinutes: 33 }))
const inBerlin = () => ({ timeZone: 'Europe/Berlin' })
const aCredential = (response: object) => ({
  ...{ id: 'x', rawId: 'x', type: 'public-key' },
  response: { clientDataJSON: 'x', ...response },
})
const aChallenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' }
const anAddress = () => ({ email: `${randomUUID()}@elsewhere.example` })

/** Routes of the product. */
const API: Record<string, Row> = {
  'GET /api/home': {
    input: inBerlin,
    outcomes: signedIn('own', { oneself: 'interruptions', myRead: 'interruptions' }),
  },
  'GET /api/week': { input: inBerlin, outcomes: signedIn('own', { oneself: 'focus', myRead: 'focus' }) },
  // How many sessions had none, and no number of a session.
  'GET /api/week/undisturbed': { input: inBerlin, outcomes: signedIn('own', { myRead: 'own' }) },
  // Of ended sessions only.
  'GET /api/year': { input: inBerlin, outcomes: signedIn('own', { myRead: 'own' }) },
  'GET /api/sessions': { outcomes: signedIn('own', { oneself: 'interruptions', myRead: 'interruptions' }) },
  'GET /api/focus': { outcomes: signedIn('own', { oneself: 'focus', mySwitch: 'focus', myRead: 'focus' }) },
  // Notes that the caller knows of the requests to them. A program of theirs is not the person.
  'GET /api/live': {
    outcomes: signedIn('own', {
      ...{ oneself: 'changes', mySwitch: 'focus', myRead: 'focus', myTeam: 'focus' },
      // The body of a refused stream is not read.
      ...{ withoutScope: '403', mySign: '403' },
    }),
  },
  'GET /api/tokens/own': { outcomes: signedIn('own', { ...forPrograms('own'), withoutScope: 'scope_needed' }) },
  'GET /api/tokens': { outcomes: signedIn('own', { oneself: 'person' }) },
  'POST /api/tokens': {
    input: () => ({ name: 'Desk light', scopes: ['switch'] }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'POST /api/tokens/revoke': {
    input: ({ tokenId }) => ({ id: tokenId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'GET /api/account/data': {
    // A request is data of both people.
    outcomes: signedIn('own', {
      requester: 'person',
      receiver: 'person',
      connection: 'person',
      oneself: 'interruptions',
    }),
  },
  'GET /api/account/focus-sessions.csv': { outcomes: signedIn('own', { oneself: 'interruptions' }) },
  'GET /api/account/focus-sessions.ics': { outcomes: signedIn('own', { oneself: 'focus' }) },
  'GET /api/account/sign-in': { outcomes: signedIn('own', {}) },
  'POST /api/account/prove': {
    input: () => ({ password: 'seven quiet otters' }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'GET /api/account/sessions': { outcomes: signedIn('own', { oneself: 'person' }) },
  'POST /api/account/sessions/end': {
    input: ({ authSessionId }) => ({ id: authSessionId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  // Ann is signed in on one device only, but has a token and the link of a calendar.
  'POST /api/account/sessions/end-others': { outcomes: signedIn('own', { oneself: 'changes' }) },
  'POST /api/account/delete': {
    input: () => ({ password: 'seven quiet otters' }),
    // Deleting a caller also deletes requests and connections with Ann, and that Ann hides from them.
    outcomes: signedIn('own', {
      ...{ requester: 'changes', receiver: 'changes', connection: 'changes', hidden: 'changes', oneself: 'changes' },
    }),
  },
  'POST /api/account/link': {
    input: () => ({ token: randomUUID().replaceAll('-', '').padEnd(43, 'A') }),
    outcomes: forAll('link_expired'),
  },
  'PUT /api/profile/username': {
    input: () => ({ username: randomUUID() }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'PUT /api/profile/language': {
    input: () => ({ language: 'de' }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'PUT /api/profile/request-emails': {
    input: () => ({ requestEmails: false }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  // Of the company as a whole: no row changes with what Ann does.
  'GET /api/company': { outcomes: signedIn('own', {}) },
  'GET /api/company/weeks.csv': { outcomes: signedIn('own', {}) },
  'PUT /api/profile/in-report': {
    input: () => ({ inReport: false }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'GET /api/push': { outcomes: signedIn('own', {}) },
  'PUT /api/push': {
    input: () => ({ endpoint: `https://push.example/${randomUUID()}`, ...aBrowser().keys }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  // Ann has none.
  'POST /api/push/off': { outcomes: signedIn('own', {}) },
  'PUT /api/push/reminders': {
    input: () => ({ remindsStillOn: false }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'GET /api/status': { outcomes: signedIn('own', {}) },
  // The servers of the tests offer no chat.
  'POST /api/status/link': { input: () => ({ system: 'slack' }), outcomes: signedIn('not_found', {}) },
  'POST /api/status/link-by-token': {
    input: () => ({ system: 'zulip', server: 'https://chat.example', email: 'ann@chat.example', token: 'key' }),
    outcomes: signedIn('not_found', {}),
  },
  'PUT /api/status': {
    input: () => ({ system: 'slack', isOn: true, withDnd: true, words: null }),
    outcomes: signedIn('not_found', { oneself: 'changes' }),
  },
  'POST /api/status/test': {
    input: () => ({ system: 'slack' }),
    outcomes: signedIn('not_found', { oneself: 'changes' }),
  },
  // Disconnecting is idempotent.
  'POST /api/status/unlink': {
    input: () => ({ system: 'slack' }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  // Leads to Settings for every caller.
  'GET /api/status/callback/:system': {
    url: () => '/api/status/callback/slack',
    outcomes: forAll('own'),
  },
  'GET /api/webhooks': { outcomes: signedIn('own', {}) },
  'POST /api/webhooks': {
    input: () => ({ url: 'https://hooks.example.com/', events: ['focus.started'] }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'PUT /api/webhooks': {
    input: ({ webhookId }) => ({
      id: webhookId,
      url: 'https://hooks.example.com/',
      events: ['focus.ended'],
      isOn: true,
    }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/webhooks/secret': {
    input: ({ webhookId }) => ({ id: webhookId, isLeaked: true }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/webhooks/delete': {
    input: ({ webhookId }) => ({ id: webhookId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/webhooks/test': {
    input: ({ webhookId }) => ({ id: webhookId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'GET /api/webhooks/deliveries': {
    input: ({ webhookId }) => ({ id: webhookId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'focus' }),
  },
  'POST /api/webhooks/deliveries/again': {
    input: ({ deliveryId }) => ({ id: deliveryId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  // Those whom Ann lets knock see that they may.
  'GET /api/team/alerts': { outcomes: signedIn('own', { connection: 'person', member: 'person' }) },
  // What the caller wants is data of the caller alone.
  'POST /api/team/alerts': {
    input: ({ userId }) => ({ userId, isWanted: true }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { connection: 'own', member: 'own' }),
  },
  'POST /api/team/knocks/allow': {
    input: ({ circleId }) => ({ id: circleId, isAllowed: true }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { newcomer: 'own', member: 'own', hidden: 'own', oneself: 'own' }),
  },
  'POST /api/team/knocks': {
    input: ({ userId }) => ({ userId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { connection: 'changes', member: 'changes' }),
  },
  'POST /api/team/knocks/answer': {
    input: ({ userId }) => ({ userId, answer: 'now' }),
    isAboutAnn: true,
    outcomes: signedIn('absent', {}),
  },
  'POST /api/team/knocks/seen': {
    input: ({ userId }) => ({ userId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', {}),
  },
  'GET /api/calendar': { outcomes: signedIn('own', {}) },
  'POST /api/calendar': { outcomes: signedIn('own', { oneself: 'changes' }) },
  'POST /api/calendar/remove': { outcomes: signedIn('own', { oneself: 'changes' }) },
  'PUT /api/goals': { input: () => ({ goals: GOALS }), outcomes: signedIn('own', { oneself: 'changes' }) },
  'PUT /api/focus': {
    input: () => ({ on: false }),
    outcomes: signedIn('own', { oneself: 'changes', mySwitch: 'changes' }),
  },
  'POST /api/focus/start': {
    input: ({ openSessionId }) => ({ sessionId: openSessionId, timeZone: 'UTC' }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'focus', mySwitch: 'focus' }),
  },
  'POST /api/focus/stop': {
    input: ({ openSessionId }) => ({ sessionId: openSessionId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes', mySwitch: 'changes' }),
  },
  'PUT /api/focus/target': {
    input: ({ openSessionId }) => ({ sessionId: openSessionId, targetMinutes: 50 }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes', mySwitch: 'changes' }),
  },
  // Session ids of others are refused one by one, in a response that reveals nothing.
  'POST /api/focus/switches': {
    input: ({ openSessionId }, now) => ({
      sentAt: now.toISOString(),
      changes: [{ to: 'off', sessionId: openSessionId, actedAt: now.toISOString() }],
    }),
    outcomes: signedIn('own', { oneself: 'changes', mySwitch: 'changes' }),
  },
  'POST /api/sessions': {
    input: ({ endedSessionId }, now) => ({
      sessionId: endedSessionId,
      startedAt: new Date(now.getTime() - 3 * 3_600_000).toISOString(),
      endedAt: new Date(now.getTime() - 2 * 3_600_000).toISOString(),
      timeZone: 'UTC',
    }),
    isAboutAnn: true,
    // Oneself: a repeated call, which answers with the stored session.
    outcomes: signedIn('absent', { oneself: 'own' }),
  },
  'PUT /api/sessions': {
    input: ({ endedSessionId }, now) => ({
      sessionId: endedSessionId,
      startedAt: new Date(now.getTime() - 3 * 3_600_000).toISOString(),
    }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/sessions/discard': {
    input: ({ endedSessionId }) => ({ sessionId: endedSessionId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/sessions/restore': {
    input: ({ endedSessionId }, now) => ({ sessionId: endedSessionId, endedAt: now.toISOString() }),
    isAboutAnn: true,
    // Oneself: it is not deleted, so that nothing changes.
    outcomes: signedIn('absent', { oneself: 'interruptions' }),
  },
  'GET /api/sessions/likely-end': {
    input: ({ endedSessionId }) => ({ sessionId: endedSessionId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'own' }),
  },
  'POST /api/sessions/touch': {
    input: ({ openSessionId }, now) => ({
      sessionId: openSessionId,
      times: { actedAt: now.toISOString(), sentAt: now.toISOString() },
      answers: [],
    }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/sessions/keep': {
    input: ({ endedSessionId }) => ({ sessionId: endedSessionId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'GET /api/team': {
    outcomes: signedIn('own', {
      ...{
        requester: 'person',
        receiver: 'person',
        connection: 'focus',
        member: 'focus',
        oneself: 'focus',
        myTeam: 'focus',
      },
    }),
  },
  'GET /api/team/people': { outcomes: signedIn('own', { colleague: 'person', ...ofCircle('person') }) },
  'GET /api/team/search': {
    input: ({ email }) => ({ query: email }),
    outcomes: signedIn('own', { colleague: 'person', requester: 'person', ...ofCircle('person') }),
  },
  'POST /api/team/requests': {
    input: ({ userId }) => ({ userId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', {
      ...{ colleague: 'changes', receiver: 'changes', ...ofCircle('changes') },
      ...{ requester: 'request_exists', connection: 'connection_exists' },
    }),
  },
  'POST /api/team/requests/take-back': {
    input: ({ requestId }) => ({ requestId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { requester: 'changes', connection: 'connection_exists' }),
  },
  'POST /api/team/requests/answer': {
    input: ({ requestId }) => ({ requestId, answer: 'accepted' }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { receiver: 'changes', oneself: 'changes' }),
  },
  'POST /api/team/connections/quit': {
    input: ({ connectionId }) => ({ connectionId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { connection: 'changes', oneself: 'changes' }),
  },
  'GET /api/circles': { outcomes: signedIn('own', { newcomer: 'person', member: 'person' }) },
  'POST /api/circles': { input: () => ({ name: 'Choir' }), outcomes: signedIn('own', { oneself: 'changes' }) },
  'POST /api/circles/preview': {
    input: ({ invite }) => ({ invite }),
    isAboutAnn: true,
    outcomes: signedIn('person', { stranger: 'absent', hidden: 'own', oneself: 'own' }),
  },
  'POST /api/invitations': { outcomes: signedIn('own', {}) },
  // The name of the circle, its company, and no person.
  'POST /api/invitations/read': { input: ({ invite }) => ({ invite }), outcomes: forAll('own') },
  // Colleagues of the other roles have joined then.
  'POST /api/circles/join': {
    input: ({ invite }) => ({ invite }),
    isAboutAnn: true,
    outcomes: signedIn('own', { stranger: 'absent' }),
  },
  'POST /api/circles/leave': {
    input: ({ circleId }) => ({ circleId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/circles/rename': {
    input: ({ circleId }) => ({ circleId, name: 'Renamed' }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/circles/link': {
    input: ({ circleId }) => ({ circleId, isOpen: false }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/circles/remove': {
    input: ({ circleId, userId }) => ({ circleId, userId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/circles/close': {
    input: ({ circleId }) => ({ circleId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/circles/quiet-times': {
    input: ({ circleId }) => ({ circleId, timeZone: 'UTC', times: [{ days: [1], from: 540, to: 600 }] }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  // Taking part is data of the caller alone.
  'POST /api/circles/quiet-times/own': {
    input: ({ circleId }) => ({ circleId, takesPart: true, notifies: true }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { newcomer: 'own', member: 'own', hidden: 'own', oneself: 'changes' }),
  },
  'POST /api/circles/quiet-times/skip': {
    input: ({ circleId }) => ({ circleId, skips: true }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { newcomer: 'own', member: 'own', hidden: 'own', oneself: 'own' }),
  },
  // What somebody hides is their own data.
  'POST /api/circles/hide': {
    input: ({ userId }) => ({ userId, isHidden: true }),
    isAboutAnn: true,
    outcomes: signedIn('own', { stranger: 'absent', oneself: 'absent' }),
  },
  'GET /api/cases': { outcomes: signedIn('own', {}) },
  'POST /api/cases': { outcomes: signedIn('own', { oneself: 'changes' }) },
  'POST /api/cases/revoke': {
    input: ({ caseId }) => ({ id: caseId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /api/cases/tap': {
    input: ({ caseCode }) => ({ code: caseCode }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'own' }),
  },
  'POST /api/cases/claim': {
    input: ({ caseCode }) => ({ code: caseCode }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'own' }),
  },
  'GET /api/signs': { outcomes: signedIn('own', {}) },
  'POST /api/signs': {
    input: () => ({ label: 'Office' }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  // Of Ann's circle.
  'POST /api/signs/revoke': {
    input: ({ signId }) => ({ id: signId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'PUT /api/signs/agreement': {
    input: ({ signId }) => ({ id: signId, agreement: 'name' }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { newcomer: 'own', member: 'own', hidden: 'own', oneself: 'changes' }),
  },
  // The secret of a sign opens them (signs.test.ts), and of Ann's programs one with the scope the first.
  'GET /api/sign': { outcomes: { ...forAll('refused'), ...forPrograms('scope_needed'), mySign: 'focus' } },
  'GET /api/sign/live': { outcomes: forAll('refused') },
  'POST /api/leads': { input: () => ({ ...anAddress(), source: 'coming_soon_page' }), outcomes: forAll('own') },
  'POST /api/clicks': {
    input: () => ({ buttonName: 'book_demo', page: 'employers', userSession: 'a' }),
    outcomes: forAll('own'),
  },
  'GET /api/openapi.json': { outcomes: forAll('own') },
}

/** Routes of the auth service. Its records of attempts (audit log, email, links) do not count as data of Ann. */
const ACCOUNTS: Record<string, Row> = {
  'POST /auth/v1/signup': {
    input: ({ email }) => ({ email, password: 'nine loud herons' }),
    isAboutAnn: true,
    outcomes: forAll('absent'),
  },
  'POST /auth/v1/verify': {
    input: () => ({ type: 'recovery', token_hash: randomUUID().replaceAll('-', '').padEnd(43, 'A') }),
    outcomes: forAll('otp_expired'),
  },
  'POST /auth/v1/recover': { input: ({ email }) => ({ email }), isAboutAnn: true, outcomes: forAll('absent') },
  'POST /auth/v1/resend': {
    input: ({ email }) => ({ email, type: 'signup' }),
    isAboutAnn: true,
    outcomes: forAll('absent'),
  },
  'POST /auth/v1/token': {
    url: () => '/auth/v1/token?grant_type=password',
    input: ({ email }) => ({ email, password: 'nine loud herons' }),
    isAboutAnn: true,
    outcomes: forAll('absent'),
  },
  'POST /auth/v1/logout': {
    url: () => '/auth/v1/logout?scope=global',
    outcomes: withAuthSession('own', { oneself: 'changes' }),
  },
  'GET /auth/v1/user': { outcomes: withAuthSession('own', { oneself: 'person' }) },
  'PUT /auth/v1/user': {
    input: () => ({ data: { theme: 'dark' } }),
    outcomes: withAuthSession('own', { oneself: 'changes' }),
  },
  'POST /auth/v1/factors': {
    input: () => ({ factor_type: 'totp', friendly_name: 'Tablet' }),
    outcomes: withAuthSession('own', { oneself: 'changes' }),
  },
  'POST /auth/v1/factors/:id/challenge': {
    url: ({ factorId }) => `/auth/v1/factors/${factorId}/challenge`,
    isAboutAnn: true,
    outcomes: withAuthSession('absent', { oneself: 'changes' }),
  },
  'POST /auth/v1/factors/:id/verify': {
    url: ({ factorId }) => `/auth/v1/factors/${factorId}/verify`,
    input: () => ({ challenge_id: randomUUID(), code: '123456' }),
    isAboutAnn: true,
    outcomes: withAuthSession('absent', { oneself: 'mfa_challenge_expired' }),
  },
  'DELETE /auth/v1/factors/:id': {
    url: ({ factorId }) => `/auth/v1/factors/${factorId}`,
    isAboutAnn: true,
    outcomes: withAuthSession('absent', { oneself: 'changes' }),
  },
  // Ann has none. Another user's codes are named by no id.
  'GET /auth/v1/factors/recovery-codes': { outcomes: withAuthSession('mfa_factor_not_found', {}) },
  'POST /auth/v1/factors/recovery-codes': { outcomes: withAuthSession('mfa_recovery_codes_sole_factor', {}) },
  'POST /auth/v1/factors/recovery-codes/regenerate': { outcomes: withAuthSession('mfa_factor_not_found', {}) },
  'POST /auth/v1/factors/recovery-codes/verify': {
    input: () => ({ code: '0'.repeat(16) }),
    outcomes: withAuthSession('mfa_verification_failed', {}),
  },
  'DELETE /auth/v1/factors/recovery-codes': { outcomes: withAuthSession('mfa_factor_not_found', {}) },
  'POST /auth/v1/passkeys/registration/options': { outcomes: withAuthSession('own', { oneself: 'person' }) },
  'POST /auth/v1/passkeys/registration/verify': {
    input: () => ({ challenge_id: 'x', credential: aCredential({ attestationObject: 'x' }) }),
    outcomes: withAuthSession('webauthn_challenge_not_found', {}),
  },
  'POST /auth/v1/passkeys/authentication/options': { outcomes: forAll('own') },
  'POST /auth/v1/passkeys/authentication/verify': {
    input: () => ({ challenge_id: 'x', credential: aCredential({ authenticatorData: 'x', signature: 'x' }) }),
    outcomes: forAll('webauthn_challenge_not_found'),
  },
  'GET /auth/v1/passkeys': { outcomes: withAuthSession('own', { oneself: 'person' }) },
  'PATCH /auth/v1/passkeys/:id': {
    url: ({ passkeyId }) => `/auth/v1/passkeys/${passkeyId}`,
    input: () => ({ friendly_name: 'Renamed' }),
    isAboutAnn: true,
    outcomes: withAuthSession('absent', { oneself: 'changes' }),
  },
  'DELETE /auth/v1/passkeys/:id': {
    url: ({ passkeyId }) => `/auth/v1/passkeys/${passkeyId}`,
    isAboutAnn: true,
    outcomes: withAuthSession('absent', { oneself: 'changes' }),
  },
  // A request without an Origin is from no page of ours.
  'POST /auth/v1/sso': {
    input: () => ({ domain: 'nowhere.example', ...aChallenge }),
    outcomes: forAll('validation_failed'),
  },
  // A redirect to the page that shows the error.
  'GET /auth/v1/callback/:key': { url: () => '/auth/v1/callback/nowhere.example', outcomes: forAll('own') },
  'POST /auth/v1/backchannel-logout/:key': {
    url: () => '/auth/v1/backchannel-logout/nowhere.example',
    input: () => ({ logout_token: 'x' }),
    isForm: true,
    outcomes: forAll('invalid_request'),
  },
  'GET /auth/v1/user/identities/authorize': {
    input: () => ({ provider: 'custom:nowhere.example', ...aChallenge }),
    outcomes: withAuthSession('sso_provider_not_found', {}),
  },
  'DELETE /auth/v1/user/identities/:id': {
    url: ({ identityId }) => `/auth/v1/user/identities/${identityId}`,
    isAboutAnn: true,
    outcomes: withAuthSession('absent', { oneself: 'changes' }),
  },
  'GET /auth/v1/.well-known/jwks.json': { outcomes: forAll('own') },
  'GET /auth/v1/settings': { outcomes: forAll('own') },
  'GET /auth/v1/health': { outcomes: forAll('own') },
}

/** Features that the auth service does not support: every caller gets the error code. */
const OFF = {
  ...{ otp: 'otp_disabled', magiclink: 'otp_disabled', authorize: 'validation_failed' },
}

/** Routes for the directories of companies. They refuse the tokens of people. */
const DIRECTORY_ROWS = Object.fromEntries(
  [
    ...[
      'GET Users',
      'POST Users',
      'GET Users/:id',
      'PUT Users/:id',
      'PATCH Users/:id',
      'DELETE Users/:id',
      'GET Groups',
    ],
    ...['GET ServiceProviderConfig', 'GET ResourceTypes', 'GET ResourceTypes/User', 'GET Schemas', 'GET Schemas/:id'],
    ...['GET *', 'POST *', 'PUT *', 'PATCH *', 'DELETE *'],
  ].map((route): [string, Row] => [
    route.replace(' ', ' /scim/v2/'),
    { isForDirectory: true, outcomes: forAll('refused') },
  ]),
)

const OFF_ROWS = Object.entries(OFF).flatMap(([path, code]) =>
  ['GET', 'POST', 'PUT', 'DELETE'].map((method): [string, Row] => [
    `${method} /auth/v1/${path}`,
    { outcomes: forAll(code) },
  ]),
)

const pages = [
  ...Object.values(APP_PATHS),
  ...SETTINGS_PARTS.map(settingsPath),
  YEAR_PATH,
  ...LANGUAGES.flatMap((language) =>
    [...Object.values(SITE_PATHS), ...Object.values(LEGAL_PATHS)].map((path) => sitePathIn(language, path)),
  ),
  '/sitemap.xml',
  '/sign',
  '/t',
  '/robots.txt',
  '/.well-known/assetlinks.json',
  '/.well-known/apple-app-site-association',
  '/favicon.ico',
  '/.well-known/change-password',
  '/healthz',
  '/readyz',
]
/** The paths of the forms of the public pages. */
export const FORMS = LANGUAGES.flatMap((language) =>
  [SITE_PATHS.comingSoon, SITE_PATHS.waitlist].map((path) => sitePathIn(language, path)),
)
/** Pages without data of users. Other tests check their authorization: monitoring.test.ts and outbox-page.test.ts. */
const adminPages = ['/metrics', '/outbox', '/outbox/outbox.js', '/outbox/outbox.css']
const publicPages = (paths: string[], more: Partial<Row> = {}) =>
  Object.fromEntries(paths.map((path): [string, Row] => [`GET ${path}`, { outcomes: forAll('own'), ...more }]))

export const WHO_MAY_WHAT: Readonly<Record<string, Row>> = {
  ...API,
  ...ACCOUNTS,
  ...Object.fromEntries(OFF_ROWS),
  'GET /auth/v1/*': { url: () => '/auth/v1/nothing', outcomes: forAll('not_found') },
  ...DIRECTORY_ROWS,
  ...Object.fromEntries(
    FORMS.map((path): [string, Row] => [`POST ${path}`, { input: anAddress, isForm: true, outcomes: forAll('own') }]),
  ),
  ...publicPages(pages),
  // Without a token.
  // With the secret of a sign in the form.
  'POST /sign': { input: () => ({ token: 'x' }), isForm: true, outcomes: forAll('refused') },
  'GET /unsubscribe': { outcomes: forAll('404') },
  // Anyone with the link may stop the emails: a mail provider does.
  'POST /unsubscribe': { url: ({ unsubscribePath }) => unsubscribePath, outcomes: forAll('changes') },
  // Anyone with the link: no answer has it but that to its creation.
  'GET /cal/:file': { url: ({ calendarPath }) => calendarPath, isAboutAnn: true, outcomes: forAll('focus') },
  ...publicPages(adminPages, { forAdmin: 'here' }),
  'GET /outbox/mails': { forAdmin: 'adminKey', outcomes: forAll('404') },
  'GET /*': { url: () => '/assets/app-12345678.js', outcomes: forAll('own') },
}
