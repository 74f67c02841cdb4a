import { randomUUID } from 'node:crypto'
import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import { ROLES, type Role, type Things } from './cast.ts'

/**
 * What comes of a call about Ann:
 *
 *     refused   who is not signed in
 *     absent    answered as if what it names had never been, and nothing of hers has changed
 *     own       answered with what is the caller's own or everybody's, and nothing of hers has changed
 *     person    the answer says who she is
 *     focus     the answer says when she is in deeb mode
 *     changes   something that is held about her has changed
 *
 * Anything else is the code that it was refused with, and nothing of hers has changed.
 */
type Outcome = string

export interface Row {
  /** The input of the call; a body, or the query of a GET. */
  input?: (things: Things, now: Date) => object
  /** Sent as a page without script does. */
  isForm?: true
  /** Where the address carries more than the route. */
  url?: (things: Things) => string
  /** For whoever looks after the server alone: from this machine, or with that key too. */
  forAdmin?: 'here' | 'adminKey' | 'backupKey'
  /** Whether the call names something of Ann's. */
  isAboutAnn?: true
  outcomes: Readonly<Record<Role, Outcome>>
}

function forAll(outcome: Outcome): Record<Role, Outcome> {
  return Object.fromEntries(ROLES.map((role) => [role, outcome])) as Record<Role, Outcome>
}

function signedIn(others: Outcome, known: Partial<Record<Role, Outcome>>): Record<Role, Outcome> {
  return { ...forAll(others), nobody: 'refused', unverified: 'refused', ...known }
}

const GOALS = [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, goalMinutes: 33 }))
const inBerlin = () => ({ timeZone: 'Europe/Berlin' })
const anAddress = () => ({ email: `${randomUUID()}@elsewhere.example` })

/** Of the product. */
const API: Record<string, Row> = {
  'GET /api/home': { input: inBerlin, outcomes: signedIn('own', { oneself: 'focus' }) },
  'GET /api/week': { input: inBerlin, outcomes: signedIn('own', { oneself: 'focus' }) },
  'GET /api/sessions': { outcomes: signedIn('own', { oneself: 'focus' }) },
  'GET /api/live': { outcomes: signedIn('own', { oneself: 'focus' }) },
  'GET /api/account/data': {
    // Who asked whom is held about both.
    outcomes: signedIn('own', { requester: 'person', receiver: 'person', connection: 'person', oneself: 'focus' }),
  },
  'POST /api/account/prove': {
    input: () => ({ password: 'seven quiet otters' }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'POST /api/account/delete': {
    input: () => ({ password: 'seven quiet otters' }),
    // What stood between the two goes with the one.
    outcomes: signedIn('own', { requester: 'changes', receiver: 'changes', connection: 'changes', oneself: 'changes' }),
  },
  'POST /api/account/link': {
    input: () => ({ token: randomUUID().replaceAll('-', '').padEnd(43, 'A') }),
    outcomes: forAll('link_expired'),
  },
  'PUT /api/profile/username': {
    input: () => ({ username: randomUUID() }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'PUT /api/goals': { input: () => ({ goals: GOALS }), outcomes: signedIn('own', { oneself: 'changes' }) },
  'POST /api/focus/start': {
    input: ({ openSessionId }) => ({ sessionId: openSessionId, timeZone: 'UTC' }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'focus' }),
  },
  'POST /api/focus/stop': {
    input: ({ openSessionId }) => ({ sessionId: openSessionId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  // What is not one's own is refused one by one, in an answer that says nothing of anybody.
  'POST /api/focus/switches': {
    input: ({ openSessionId }, now) => ({
      sentAt: now.toISOString(),
      changes: [{ to: 'off', sessionId: openSessionId, actedAt: now.toISOString() }],
    }),
    outcomes: signedIn('own', { oneself: 'changes' }),
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
  'POST /api/sessions/keep': {
    input: ({ endedSessionId }) => ({ sessionId: endedSessionId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'GET /api/team': { outcomes: signedIn('own', { receiver: 'person', connection: 'focus', oneself: 'focus' }) },
  'GET /api/team/search': {
    input: ({ email }) => ({ query: email }),
    outcomes: signedIn('own', { colleague: 'person' }),
  },
  'POST /api/team/requests': {
    input: ({ userId }) => ({ userId }),
    isAboutAnn: true,
    outcomes: signedIn('absent', {
      ...{ colleague: 'changes', receiver: 'changes' },
      ...{ requester: 'request_exists', connection: 'connection_exists' },
    }),
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
  'POST /api/leads': { input: () => ({ ...anAddress(), source: 'coming_soon_page' }), outcomes: forAll('own') },
  'POST /api/clicks': {
    input: () => ({ buttonName: 'book_demo', page: 'employers', userSession: 'a' }),
    outcomes: forAll('own'),
  },
  'GET /api/openapi.json': { outcomes: forAll('own') },
}

/** Of the account service. What it keeps of tries (audit log, mail, links) is not counted as hers. */
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
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'GET /auth/v1/user': { outcomes: signedIn('own', { oneself: 'person' }) },
  'PUT /auth/v1/user': {
    input: () => ({ data: { theme: 'dark' } }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'POST /auth/v1/factors': {
    input: () => ({ factor_type: 'totp', friendly_name: 'Tablet' }),
    outcomes: signedIn('own', { oneself: 'changes' }),
  },
  'POST /auth/v1/factors/:id/challenge': {
    url: ({ factorId }) => `/auth/v1/factors/${factorId}/challenge`,
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'POST /auth/v1/factors/:id/verify': {
    url: ({ factorId }) => `/auth/v1/factors/${factorId}/verify`,
    input: () => ({ challenge_id: randomUUID(), code: '123456' }),
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'mfa_challenge_expired' }),
  },
  'DELETE /auth/v1/factors/:id': {
    url: ({ factorId }) => `/auth/v1/factors/${factorId}`,
    isAboutAnn: true,
    outcomes: signedIn('absent', { oneself: 'changes' }),
  },
  'GET /auth/v1/.well-known/jwks.json': { outcomes: forAll('own') },
  'GET /auth/v1/settings': { outcomes: forAll('own') },
  'GET /auth/v1/health': { outcomes: forAll('own') },
}

/** What the account service does not do, and says so to everybody. */
const OFF = {
  ...{ otp: 'otp_disabled', magiclink: 'otp_disabled', sso: 'saml_provider_disabled', authorize: 'validation_failed' },
  ...{ 'user/identities': 'manual_linking_disabled', 'user/identities/*': 'manual_linking_disabled' },
}

const OFF_ROWS = Object.entries(OFF).flatMap(([path, code]) =>
  ['GET', 'POST', 'PUT', 'DELETE'].map((method): [string, Row] => [
    `${method} /auth/v1/${path}`,
    { outcomes: forAll(code) },
  ]),
)

const pages = [
  ...Object.values(APP_PATHS),
  ...Object.values(SITE_PATHS),
  '/sitemap.xml',
  '/robots.txt',
  '/.well-known/assetlinks.json',
  '/.well-known/apple-app-site-association',
  '/favicon.ico',
  '/healthz',
]
/** They tell nobody of anybody. Who may read them is for operations.test.ts and outbox-page.test.ts. */
const operatorPages = ['/metrics', '/outbox', '/outbox/outbox.js', '/outbox/outbox.css']
const openly = (paths: string[], more: Partial<Row> = {}) =>
  Object.fromEntries(paths.map((path): [string, Row] => [`GET ${path}`, { outcomes: forAll('own'), ...more }]))

export const WHO_MAY_WHAT: Readonly<Record<string, Row>> = {
  ...API,
  ...ACCOUNTS,
  ...Object.fromEntries(OFF_ROWS),
  'GET /auth/v1/*': { url: () => '/auth/v1/nothing', outcomes: forAll('not_found') },
  'POST /coming-soon': { input: anAddress, isForm: true, outcomes: forAll('own') },
  'POST /waitlist': { input: anAddress, isForm: true, outcomes: forAll('own') },
  ...openly(pages),
  ...openly(operatorPages, { forAdmin: 'here' }),
  'POST /admin/backup': { forAdmin: 'backupKey', outcomes: forAll('not_found') },
  'GET /outbox/mails': { forAdmin: 'adminKey', outcomes: forAll('404') },
  'GET /*': { url: () => '/assets/app-12345678.js', outcomes: forAll('own') },
}
