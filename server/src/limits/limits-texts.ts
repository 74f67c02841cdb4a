import { type CapRule, HOUR, LIMITS, MINUTE, type WindowRule } from './limits-table.ts'
import type { BackoffRule, TokenBucketRule } from './rate-limit-store.ts'

/** One limit in words. */
interface LimitText {
  what: string
  per: string
  /** The response when the limit is reached. */
  refused: string
}

type LimitName = keyof typeof LIMITS

const TOO_MANY_REQUESTS = '429 `over_request_rate_limit`'
const TOO_MANY_ATTEMPTS = '429 `too_many_attempts`'
const STOPPED = '403 `mfa_verification_rejected`'
/** Never a 4xx: a client deletes its auth session when a refresh answers with one. */
const RETRY_LATER = '503'
/** The response must not depend on earlier emails, or it would allow user enumeration. */
const NOTHING = 'the same answer'

/** Every limit in words. docs/prove/limits.md is generated from it: `npm run tables`. */
const TEXTS: Record<LimitName, LimitText> = {
  signUp: { what: 'sign-ups', per: 'IP network', refused: TOO_MANY_REQUESTS },
  signIn: { what: 'failed sign-ins, by password or passkey', per: 'IP network', refused: TOO_MANY_REQUESTS },
  passkeyChallenge: {
    what: 'challenges for passkeys: one per opened sign-in page, then one every four minutes',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  },
  companySignIn: {
    what: 'company sign-ins that begin: one per click, and one per domain that the page asks about',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  },
  companyCallback: {
    what: 'returns from an identity provider without a right answer, or in another browser',
    per: 'IP network',
    refused: 'the sign-in page with `bad_oauth_state`',
  },
  companyExchange: {
    what: 'codes of company sign-ins that open nothing, and wrong codes from their emails',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  },
  companyCode: {
    what: 'codes that were emailed for a company account, right or wrong',
    per: 'sign-in',
    refused: '403 `otp_expired`',
  },
  companyCodeToOne: {
    what: 'codes for a company account; a requester is an identity',
    per: 'recipient',
    refused: NOTHING,
  },
  companyCodeToAll: {
    what: 'codes for a company account; a requester is an identity',
    per: 'server',
    refused: NOTHING,
  },
  companyLogout: {
    what: 'refused logout tokens of identity providers',
    per: 'IP network',
    refused: '400 `invalid_request`',
  },
  guessFromOneNetwork: { what: 'wrong passwords at sign-in', per: 'email and IP network', refused: TOO_MANY_REQUESTS },
  guessFromAnywhere: {
    what: 'wrong passwords at sign-in from networks the owner never signed in from',
    per: 'email',
    refused: TOO_MANY_REQUESTS,
  },
  failedSignIns: {
    what: 'failed sign-ins in a row, halved each day, after which unfamiliar networks fail also with the right password. A sign-in from a familiar network, or a new password, ends it',
    per: 'account',
    refused: 'as a wrong password',
  },
  currentPassword: { what: 'wrong current passwords', per: 'account', refused: TOO_MANY_REQUESTS },
  openLink: { what: 'email links that open nothing', per: 'IP network', refused: TOO_MANY_REQUESTS },
  readLink: { what: 'lookups of the account of an email link', per: 'IP network', refused: TOO_MANY_ATTEMPTS },
  readInvitation: { what: 'looks at an invitation by its link', per: 'IP network', refused: TOO_MANY_ATTEMPTS },
  requestMail: {
    what: 'requests for an email: recovery, confirmation sent again, change of address',
    per: 'IP network',
    refused: '429 `over_email_send_rate_limit`',
  },
  recoveryToOne: { what: 'recovery emails; the newest link stays valid', per: 'recipient', refused: NOTHING },
  recoveryToAll: { what: 'recovery emails', per: 'server', refused: NOTHING },
  alreadyToOne: { what: 'emails that an account already exists', per: 'recipient', refused: NOTHING },
  alreadyToAll: { what: 'emails that an account already exists', per: 'server', refused: NOTHING },
  confirmToOne: { what: 'confirmation emails', per: 'recipient', refused: NOTHING },
  confirmToAll: { what: 'confirmation emails', per: 'server', refused: NOTHING },
  emailChangeToOne: { what: 'emails to confirm a new address', per: 'recipient', refused: NOTHING },
  emailChangeToAll: { what: 'emails to confirm a new address', per: 'server', refused: NOTHING },
  requestEmailsToOne: {
    what: 'emails about connection requests',
    per: 'recipient',
    refused: 'an email later, if the requests still wait',
  },
  requestEmailsToAll: {
    what: 'emails about connection requests',
    per: 'server',
    refused: 'an email in a later minute',
  },
  requestsWithEmail: {
    what: 'pending requests of the last 7 days that cause an email, the oldest first',
    per: 'requester',
    refused: 'no email: the request waits in the app',
  },
  unsubscribe: {
    what: 'emails stopped by their link; a mail provider does it for many people',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  },
  pendingSignUps: {
    what: 'unconfirmed sign-ups younger than 24 hours, one per caller network',
    per: 'email',
    refused: NOTHING,
  },
  totpCode: {
    what: 'codes of an authenticator app and recovery codes, right or wrong',
    per: 'auth session',
    refused: TOO_MANY_REQUESTS,
  },
  wrongCodes: {
    what: 'wrong codes, until a new password is set; recovery codes are still accepted',
    per: 'account',
    refused: STOPPED,
  },
  wrongCodesAfterRecovery: {
    what: 'wrong codes after a recovery link, once those of the account are used up',
    per: 'auth session',
    refused: STOPPED,
  },
  forgedRefresh: { what: 'refresh tokens that this server never issued', per: 'IP network', refused: RETRY_LATER },
  refresh: { what: 'refreshes', per: 'auth session', refused: RETRY_LATER },
  lead: {
    what: 'addresses left on a waiting list',
    per: 'IP network',
    refused: `${TOO_MANY_ATTEMPTS}; without script, the form again`,
  },
  click: { what: 'counted clicks on public pages', per: 'IP network', refused: TOO_MANY_ATTEMPTS },
  successfulSignIn: {
    what: 'sign-ins with the right password or passkey, or a company account',
    per: 'account and caller network',
    refused: TOO_MANY_REQUESTS,
  },
  sessionRequest: {
    what: 'signed-in requests of the account service',
    per: 'auth session',
    refused: TOO_MANY_REQUESTS,
  },
  deadToken: {
    what: 'the same with a token of an ended session or another browser',
    per: 'IP network',
    refused: TOO_MANY_REQUESTS,
  },
  read: {
    what: 'reads of a screen',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  search: { what: 'searches for colleagues', per: 'account', refused: TOO_MANY_ATTEMPTS },
  write: {
    what: 'switches, touches and all other changes',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  requestToOne: {
    what: 'connection requests to the same person, sent again after they were taken back',
    per: 'account, other account',
    refused: TOO_MANY_ATTEMPTS,
  },
  subscribePush: {
    what: 'subscriptions of a browser to push messages; each visit renews one',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  pushSubscriptions: {
    what: 'browsers that receive push messages',
    per: 'account',
    refused: 'the oldest one receives none any more',
  },
  pushesToOne: {
    what: 'push messages, retries included',
    per: 'account',
    refused: 'waits; dropped after 30 minutes',
  },
  pushesToAll: {
    what: 'push messages, retries included',
    per: 'server',
    refused: 'waits; dropped after 30 minutes',
  },
  linkChat: {
    what: 'chat systems to connect: one per press of "Connect"',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  chatCallback: { what: 'returns from a chat system', per: 'IP network', refused: TOO_MANY_ATTEMPTS },
  testChat: {
    what: 'statuses in a chat that are set for a minute',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  webhooks: { what: 'webhooks that a person has', per: 'account', refused: '409 `too_many_webhooks`' },
  changeWebhook: {
    what: 'new webhooks, changes of them and of their secrets, and deletions',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  sendWebhook: {
    what: 'tests of webhooks, and messages that are sent again by hand',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  webhooksToOne: {
    what: 'messages to webhooks',
    per: 'account',
    refused: 'waits; dropped after 4 hours',
  },
  newCircle: { what: 'new circles', per: 'account', refused: '409 `too_many_circles`' },
  circles: { what: 'circles that a person is in', per: 'account', refused: '409 `too_many_circles`' },
  circlePreview: { what: 'looks at a circle by its link', per: 'account', refused: TOO_MANY_ATTEMPTS },
  joinCircle: { what: 'joining a circle', per: 'account', refused: TOO_MANY_ATTEMPTS },
  changeCircle: {
    what: 'new names and links of circles, and hiding from people',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  newCalendarLink: { what: 'new links of the calendar', per: 'account', refused: TOO_MANY_ATTEMPTS },
  readCalendar: { what: 'reads of a calendar by its link', per: 'link', refused: TOO_MANY_ATTEMPTS },
  unknownCalendar: {
    what: 'reads of a calendar by a link that does not work',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  },
  calendarEvents: { what: 'focus sessions in a calendar', per: 'calendar', refused: 'only the newest are in it' },
  replay: { what: 'replays of switches made offline', per: 'account', refused: TOO_MANY_ATTEMPTS },
  replayedChanges: { what: 'switches in one replay', per: 'request', refused: '400 `invalid_input`' },
  knocks: { what: 'people interrupted in deeb mode', per: 'sender', refused: '409 `too_many_knocks`' },
  knocksInSession: {
    what: 'interruptions of one focus session',
    per: 'sender',
    refused: '409 `too_many_knocks`',
  },
  interruptionPresses: {
    what: 'presses of `interrupted?` in the sessions of about a week, undone ones included',
    per: 'account',
    refused: 'the same answer, and the press does not count',
  },
  download: { what: 'downloads of your data', per: 'account', refused: TOO_MANY_ATTEMPTS },
  runningDownloads: {
    what: 'concurrent downloads of your data',
    per: 'account and process',
    refused: '409 `download_running`',
  },
  openStream: { what: 'live streams opened', per: 'account', refused: TOO_MANY_ATTEMPTS },
  openStreams: {
    what: 'concurrent live streams',
    per: 'account and process',
    refused: 'the oldest stream ends with `too-many`',
  },
  signs: { what: 'door signs, those of circles included', per: 'account', refused: '409 `too_many_signs`' },
  newSign: { what: 'new door signs', per: 'account', refused: TOO_MANY_ATTEMPTS },
  wrongSign: { what: 'reads of a door sign by a wrong or revoked link', per: 'IP network', refused: TOO_MANY_ATTEMPTS },
  readSign: {
    what: 'reads of a door sign, and streams opened',
    per: 'link; account of a personal access token',
    refused: TOO_MANY_ATTEMPTS,
  },
  openSignStreams: {
    what: 'concurrent streams of a door sign',
    per: 'sign and process',
    refused: 'the oldest stream ends with `too-many`',
  },
  signStreams: {
    what: 'concurrent streams of all door signs; those of people do not count',
    per: 'process',
    refused: 'a stream of the person with most ends with `too-many`',
  },
  cases: { what: 'codes on cases', per: 'account', refused: '409 `too_many_cases`' },
  newCase: { what: 'new codes for cases', per: 'account', refused: TOO_MANY_ATTEMPTS },
  tapCase: { what: 'taps on cases, and claims', per: 'account', refused: TOO_MANY_ATTEMPTS },
  wrongCase: {
    what: 'taps on cases of others, revoked or unknown ones',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  },
  focusSessions: {
    what: 'focus sessions started on one local date, deleted ones included',
    per: 'account',
    refused: '409 `too_many_sessions`',
  },
  personalToken: {
    what: 'calls with a personal access token; those of an account also share its own limits, apart',
    per: 'token',
    refused: TOO_MANY_ATTEMPTS,
  },
  unknownToken: {
    what: 'calls with a dead or made-up access token',
    per: 'IP network',
    refused: TOO_MANY_ATTEMPTS,
  },
  createToken: {
    what: 'personal access tokens created, each with an email',
    per: 'account',
    refused: TOO_MANY_ATTEMPTS,
  },
  personalTokens: {
    what: 'personal access tokens, those that expired in the last 30 days included',
    per: 'account',
    refused: '409 `too_many_tokens`',
  },
  scimToken: {
    what: 'requests of a directory (SCIM) with a wrong token',
    per: 'IP network',
    refused: '429',
  },
  scim: { what: 'requests of a directory (SCIM)', per: 'company', refused: '429' },
  scimWrites: {
    what: 'changes by a directory that wait for the two that run',
    per: 'company and process',
    refused: '503',
  },
  scimUsers: { what: 'people that a directory keeps', per: 'company', refused: '403' },
  scimOperations: { what: 'operations in one change by a directory', per: 'request', refused: '400 `invalidSyntax`' },
  scimBody: { what: 'size of a request body of a directory', per: 'request', refused: '413' },
  ipv6Site: {
    what: 'every bucket per IP network, for a site together',
    per: 'IPv6 /48',
    refused: 'as for one network',
  },
  requestBody: { what: 'size of a request body', per: 'request', refused: '413' },
}

/** The table of docs/prove/limits.md, which names the most frequent response once. */
export function limitsAsMarkdown(): string {
  const rows = Object.entries(LIMITS).map(([name, rule]) => {
    const { what, per, refused } = TEXTS[name as LimitName]
    return `| ${what} | ${per} | ${ruleText(rule)} | ${refused === TOO_MANY_ATTEMPTS ? '' : refused} |`
  })
  return ['| what | per | limit | response |', '|---|---|---|---|', ...rows].join('\n')
}

function ruleText(rule: TokenBucketRule | BackoffRule | WindowRule | CapRule): string {
  if ('burst' in rule) return `${count(rule.burst)} every ${duration(rule.seconds)}`
  if ('free' in rule) return `${rule.free}, then a wait of 1, 2, 4 ... ${rule.maxSeconds} s`
  if ('seconds' in rule) {
    const share = rule.share ? `; a requester 1/${rule.share} of the rest` : ''
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
