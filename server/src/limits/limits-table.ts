import { MAX_CIRCLES } from '@deeb/core/circles/circle'
import { MAX_CHANGES_PER_CALL } from '@deeb/core/focus/api'
import { MAX_SESSIONS_PER_DAY } from '@deeb/core/focus/session'
import { MAX_SIGNS } from '@deeb/core/signs/sign'
import { MAX_TOKENS } from '@deeb/core/tokens/api'
import { MAX_WEBHOOKS } from '@deeb/core/webhooks/api'
import type { BackoffRule, TokenBucketRule } from './rate-limit-store.ts'

/**
 * A sliding window: at most `max` in any `seconds`, counted in the database. With a `share`, one requester may use at most
 * 1/`share` of the remaining limit, so that it cannot use up the limit of others.
 */
export interface WindowRule {
  max: number
  seconds: number
  share?: number
}

/** At most `max` units, such as bytes or rows. */
export interface CapRule {
  max: number
  unit: string
}

/** One limit, as code enforces it and docs/limits.md describes it. */
interface Limit<Rule extends TokenBucketRule | BackoffRule | WindowRule | CapRule> {
  what: string
  per: string
  rule: Rule
  /** The response when the limit is reached. */
  refused: string
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const TOO_MANY_REQUESTS = '429 `over_request_rate_limit` with `Retry-After`'
const TOO_MANY_ATTEMPTS = '429 `too_many_attempts` with `Retry-After`'
const STOPPED = '403 `mfa_verification_rejected`'
/** Never a 4xx: a client deletes its auth session when a refresh answers with one. */
const RETRY_LATER = '503 with `Retry-After`'
/** The response must not depend on earlier emails, or it would allow user enumeration. */
const NOTHING = 'nothing: the same answer'

/** Every limit of the server. docs/limits.md is generated from it: `npm run limits`. */
export const LIMITS = {
  signUp: bucket('sign-up', 200, HOUR, { what: 'sign-ups', per: 'IP network', refused: TOO_MANY_REQUESTS }),
  signIn: bucket('sign-in', 30, 5 * MINUTE, {
    what: 'failed sign-ins, by password or passkey',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  }),
  passkeyChallenge: bucket('passkey', 600, 5 * MINUTE, {
    what: 'challenges for a sign-in with a passkey: one per opened sign-in page, then one every four minutes',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  }),
  companySignIn: bucket('sso', 600, 5 * MINUTE, {
    what: 'sign-ins with a company account that begin: one per click, and one per domain that the sign-in page asks about',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  }),
  companyCallback: bucket('sso-callback', 600, 5 * MINUTE, {
    what: 'returns from an identity provider without a right answer, or in another browser',
    per: 'IP network',
    refused: 'the sign-in page with `bad_oauth_state`',
  }),
  companyExchange: bucket('sso-exchange', 600, 5 * MINUTE, {
    what: 'codes of company sign-ins that open nothing, and wrong codes from their emails',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  }),
  companyCode: cap(5, 'codes', {
    what: 'codes that were emailed for a company account, right or wrong',
    per: 'sign-in',
    refused: '403 `otp_expired`',
  }),
  companyCodeToOne: window(
    10,
    HOUR,
    { what: 'codes for a company account; a requester is an identity', per: 'recipient', refused: NOTHING },
    3,
  ),
  companyCodeToAll: window(
    500,
    HOUR,
    { what: 'codes for a company account; a requester is an identity', per: 'server', refused: NOTHING },
    10,
  ),
  companyLogout: bucket('sso-logout', 600, MINUTE, {
    what: 'refused logout tokens of identity providers',
    per: 'IP network',
    refused: '400 `invalid_request`',
  }),
  guessFromOneNetwork: backoff('guess-ip', 5, 900, {
    what: 'wrong passwords at sign-in',
    per: 'email and IP network',
    refused: TOO_MANY_REQUESTS,
  }),
  guessFromAnywhere: backoff('guess-account', 10, 180, {
    what: 'wrong passwords at sign-in from networks the owner never signed in from',
    per: 'email',
    refused: TOO_MANY_REQUESTS,
  }),
  currentPassword: backoff('current', 5, 900, {
    what: 'wrong current passwords',
    per: 'account',
    refused: TOO_MANY_REQUESTS,
  }),
  openLink: bucket('verify', 30, 5 * MINUTE, {
    what: 'email links that open nothing',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  }),
  readLink: bucket('links', 600, HOUR, {
    what: 'lookups of the account of an email link',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  }),
  requestMail: bucket('mail', 10, HOUR, {
    what: 'requests for an email: recovery, confirmation sent again, change of address',
    per: 'IP network',
    refused: '429 `over_email_send_rate_limit` with `Retry-After`',
  }),
  recoveryToOne: window(3, 30 * MINUTE, {
    what: 'recovery emails; the newest link stays valid',
    per: 'recipient',
    refused: NOTHING,
  }),
  recoveryToAll: window(500, HOUR, { what: 'recovery emails', per: 'server', refused: NOTHING }, 10),
  alreadyToOne: window(1, DAY, { what: 'emails that an account already exists', per: 'recipient', refused: NOTHING }),
  alreadyToAll: window(
    500,
    HOUR,
    { what: 'emails that an account already exists', per: 'server', refused: NOTHING },
    10,
  ),
  confirmToOne: window(10, HOUR, { what: 'confirmation emails', per: 'recipient', refused: NOTHING }, 3),
  confirmToAll: window(2_500, HOUR, { what: 'confirmation emails', per: 'server', refused: NOTHING }, 10),
  emailChangeToOne: window(
    10,
    HOUR,
    { what: 'emails to confirm a new address', per: 'recipient', refused: NOTHING },
    3,
  ),
  emailChangeToAll: window(500, HOUR, { what: 'emails to confirm a new address', per: 'server', refused: NOTHING }, 10),
  requestEmailsToOne: window(1, DAY, {
    what: 'emails about connection requests',
    per: 'recipient',
    refused: 'an email later, if the requests still wait',
  }),
  requestEmailsToAll: window(20, MINUTE, {
    what: 'emails about connection requests',
    per: 'server',
    refused: 'an email in a later minute',
  }),
  requestsWithEmail: cap(50, 'requests', {
    what: 'pending requests of the last 7 days that cause an email, the oldest first',
    per: 'requester',
    refused: 'no email: the request waits in the app',
  }),
  unsubscribe: bucket('unsubscribe', 600, HOUR, {
    what: 'emails stopped by their link; a mail provider does it for many people',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  }),
  pendingSignUps: cap(100, 'caller networks', {
    what: 'unconfirmed sign-ups younger than 24 hours, one per caller network',
    per: 'email',
    refused: NOTHING,
  }),
  totpCode: bucket('codes', 5, MINUTE, {
    what: 'codes of an authenticator app and recovery codes, right or wrong',
    per: 'auth session',
    refused: TOO_MANY_REQUESTS,
  }),
  wrongCodes: cap(100, 'codes', {
    what: 'wrong codes, until a new password is set; recovery codes are still accepted',
    per: 'account',
    refused: STOPPED,
  }),
  wrongCodesAfterRecovery: cap(10, 'codes', {
    what: 'wrong codes in an auth session that a recovery link opened, once those of the account are used up',
    per: 'auth session',
    refused: STOPPED,
  }),
  forgedRefresh: bucket('forged', 150, 5 * MINUTE, {
    what: 'refresh tokens that this server never issued',
    per: 'IP network',
    refused: RETRY_LATER,
  }),
  refresh: bucket('refreshes', 10, MINUTE, { what: 'refreshes', per: 'auth session', refused: RETRY_LATER }),
  lead: bucket('leads', 100, HOUR, {
    what: 'addresses left on a waiting list',
    per: 'IP network',
    refused: `${TOO_MANY_ATTEMPTS}; without script, the form again`,
  }),
  click: bucket('clicks', 600, HOUR, {
    what: 'counted clicks on public pages',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  }),
  successfulSignIn: bucket('signed-in', 60, HOUR, {
    what: 'sign-ins with the right password or passkey, or a company account',
    per: 'account and caller network',
    refused: TOO_MANY_REQUESTS,
  }),
  sessionRequest: bucket('session-request', 60, MINUTE, {
    what: 'signed-in requests of the account service: user, sign-out, second factors, passkeys',
    per: 'auth session',
    refused: TOO_MANY_REQUESTS,
  }),
  deadToken: bucket('dead-token', 300, 5 * MINUTE, {
    what: 'the same with the token of an auth session that has ended or belongs to another browser',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  }),
  read: bucket('read', 600, MINUTE, {
    what: 'reads of a screen: home, week, sessions, team, circles, people and report of the company, sign-in',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  search: bucket('search', 120, MINUTE, {
    what: 'searches for colleagues',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  write: bucket('write', 120, MINUTE, {
    what: 'switches, touches, changes of sessions and settings, connections, leaving and closing circles, signing out other devices, deletion of the account',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  requestToOne: bucket('request-to-one', 3, DAY, {
    what: 'connection requests to the same person, sent again after they were taken back',
    per: 'account, other account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  subscribePush: bucket('subscribe-push', 60, HOUR, {
    what: 'subscriptions of a browser to push messages; each visit renews one',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  pushSubscriptions: cap(10, 'browsers', {
    what: 'browsers that receive push messages',
    per: 'account',
    refused: 'the oldest one receives none any more',
  }),
  pushesToOne: window(60, HOUR, {
    what: 'push messages, retries included',
    per: 'account',
    refused: 'the message waits; after 30 minutes it is not sent',
  }),
  pushesToAll: window(600, MINUTE, {
    what: 'push messages, retries included',
    per: 'server',
    refused: 'the message waits; after 30 minutes it is not sent',
  }),
  linkChat: bucket('link-chat', 20, HOUR, {
    what: 'chat systems to connect: one per press of "Connect"',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  chatCallback: bucket('chat-callback', 200, 5 * MINUTE, {
    what: 'returns from a chat system',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  }),
  testChat: bucket('test-chat', 10, 5 * MINUTE, {
    what: 'statuses in a chat that are set for a minute',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  webhooks: cap(MAX_WEBHOOKS, 'webhooks', {
    what: 'webhooks that a person has',
    per: 'account',
    refused: '409 `too_many_webhooks`',
  }),
  changeWebhook: bucket('change-webhook', 60, HOUR, {
    what: 'new webhooks, changes of them and of their secrets, and deletions',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  sendWebhook: bucket('send-webhook', 60, HOUR, {
    what: 'tests of webhooks, and messages that are sent again by hand',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  webhooksToOne: window(600, HOUR, {
    what: 'messages to webhooks',
    per: 'account',
    refused: 'the message waits; after 4 hours it is not sent',
  }),
  newCircle: bucket('new-circle', 5, DAY, {
    what: 'new circles',
    per: 'account and process',
    refused: '409 `too_many_circles` with `Retry-After`',
  }),
  circles: cap(MAX_CIRCLES, 'circles', {
    what: 'circles that a person is in',
    per: 'account',
    refused: '409 `too_many_circles`',
  }),
  circlePreview: bucket('circle-preview', 60, HOUR, {
    what: 'looks at a circle by its link',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  joinCircle: bucket('join-circle', 30, HOUR, {
    what: 'joining a circle',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  changeCircle: bucket('change-circle', 60, HOUR, {
    what: 'new names and links of circles, and hiding from people',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  newCalendarLink: bucket('new-calendar-link', 20, HOUR, {
    what: 'new links of the calendar',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  readCalendar: bucket('read-calendar', 20, 5 * MINUTE, {
    what: 'reads of a calendar by its link',
    per: 'link',
    refused: TOO_MANY_ATTEMPTS,
  }),
  unknownCalendar: bucket('unknown-calendar', 300, 5 * MINUTE, {
    what: 'reads of a calendar by a link that does not work',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  }),
  calendarEvents: cap(5_000, 'sessions', {
    what: 'focus sessions in a calendar',
    per: 'calendar',
    refused: 'only the newest are in it',
  }),
  replay: bucket('replay', 60, MINUTE, {
    what: 'replays of switches made offline',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  replayedChanges: cap(MAX_CHANGES_PER_CALL, 'switches', {
    what: 'switches in one replay',
    per: 'request',
    refused: '400 `invalid_input`',
  }),
  download: bucket('download', 10, HOUR, {
    what: 'downloads of your data',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  runningDownloads: cap(1, 'download', {
    what: 'concurrent downloads of your data',
    per: 'account and process',
    refused: '409 `download_running`',
  }),
  openStream: bucket('stream', 120, MINUTE, {
    what: 'live streams opened',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  openStreams: cap(20, 'streams', {
    what: 'concurrent live streams',
    per: 'account and process',
    refused: 'the oldest stream ends with `too-many`',
  }),
  signs: cap(MAX_SIGNS, 'signs', {
    what: 'door signs, those of circles included',
    per: 'account',
    refused: '409 `too_many_signs`',
  }),
  newSign: bucket('new-sign', 20, DAY, {
    what: 'new door signs',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  wrongSign: bucket('wrong-sign', 300, 5 * MINUTE, {
    what: 'reads of a door sign by a wrong or revoked link',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  }),
  readSign: bucket('read-sign', 60, MINUTE, {
    what: 'reads of a door sign, and streams opened',
    per: 'link; account of a personal access token',
    refused: TOO_MANY_ATTEMPTS,
  }),
  openSignStreams: cap(4, 'streams', {
    what: 'concurrent streams of a door sign',
    per: 'sign and process',
    refused: 'the oldest stream ends with `too-many`',
  }),
  signStreams: cap(2_000, 'streams', {
    what: 'concurrent streams of all door signs; those of people do not count',
    per: 'process',
    refused: 'a stream of the person whose signs have most ends with `too-many`',
  }),
  focusSessions: cap(MAX_SESSIONS_PER_DAY, 'sessions', {
    what: 'focus sessions started on one local date, deleted ones and repeated starts of an open one included',
    per: 'account',
    refused: '409 `too_many_sessions`',
  }),
  personalToken: bucket('personal-token', 120, MINUTE, {
    what: 'calls with a personal access token; those of an account also share a limit of each kind of call, apart from its own',
    per: 'token and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  unknownToken: bucket('unknown-token', 300, 5 * MINUTE, {
    what: 'calls with a personal access token that is made up, revoked or expired',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  }),
  createToken: bucket('create-token', 20, HOUR, {
    what: 'personal access tokens created, each with an email',
    per: 'account and process',
    refused: TOO_MANY_ATTEMPTS,
  }),
  personalTokens: cap(MAX_TOKENS, 'tokens', {
    what: 'personal access tokens, those that expired in the last 30 days included',
    per: 'account',
    refused: '409 `too_many_tokens`',
  }),
  scimToken: bucket('scim-token', 30, 5 * MINUTE, {
    what: 'requests of a directory (SCIM) with a wrong token',
    per: 'IP network',
    refused: '429 with `Retry-After`',
  }),
  scim: bucket('scim', 3_000, MINUTE, {
    what: 'requests of a directory (SCIM)',
    per: 'company',
    refused: '429 with `Retry-After`',
  }),
  scimWrites: cap(500, 'requests', {
    what: 'changes by a directory that wait for the two that run',
    per: 'company and process',
    refused: '503 with `Retry-After`',
  }),
  scimUsers: cap(100_000, 'people', { what: 'people that a directory keeps', per: 'company', refused: '403' }),
  scimOperations: cap(100, 'operations', {
    what: 'operations in one change by a directory',
    per: 'request',
    refused: '400 `invalidSyntax`',
  }),
  scimBody: cap(64 * 1024, 'bytes', { what: 'size of a request body of a directory', per: 'request', refused: '413' }),
  ipv6Site: cap(16, 'times as much', {
    what: 'every token bucket per IP network, for all networks of a site together',
    per: 'IPv6 /48',
    refused: 'as for one network',
  }),
  requestBody: cap(16 * 1024, 'bytes', { what: 'size of a request body', per: 'request', refused: '413' }),
} as const

type Description = Omit<Limit<CapRule>, 'rule'>

function bucket(name: string, burst: number, seconds: number, description: Description): Limit<TokenBucketRule> {
  return { ...description, rule: { name, burst, seconds } }
}

function backoff(name: string, free: number, maxSeconds: number, description: Description): Limit<BackoffRule> {
  return { ...description, rule: { name, free, maxSeconds } }
}

function window(max: number, seconds: number, description: Description, share?: number): Limit<WindowRule> {
  return { ...description, rule: { max, seconds, ...(share && { share }) } }
}

function cap(max: number, unit: string, description: Description): Limit<CapRule> {
  return { ...description, rule: { max, unit } }
}

/** The table of docs/limits.md. */
export function limitsAsMarkdown(): string {
  const rows = Object.values(LIMITS).map(
    ({ what, per, rule, refused }) => `| ${what} | ${per} | ${ruleText(rule)} | ${refused} |`,
  )
  return ['| what | per | limit | response when reached |', '|---|---|---|---|', ...rows].join('\n')
}

function ruleText(rule: TokenBucketRule | BackoffRule | WindowRule | CapRule): string {
  if ('burst' in rule) return `${count(rule.burst)} immediately, ${count(rule.burst)} every ${duration(rule.seconds)}`
  if ('free' in rule) return `${rule.free} free, then a wait of 1, 2, 4 ... ${rule.maxSeconds} s after each`
  if ('seconds' in rule) {
    const share = rule.share ? `; each requester at most 1/${rule.share} of what is left` : ''
    return `${count(rule.max)} per ${duration(rule.seconds)}${share}`
  }
  return `${count(rule.max)} ${rule.unit}`
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

function duration(seconds: number): string {
  const [size, unit] = seconds % HOUR === 0 ? [HOUR, 'hour'] : [MINUTE, 'minute']
  const many = seconds / size
  return many === 1 ? unit : `${many} ${unit}s`
}
