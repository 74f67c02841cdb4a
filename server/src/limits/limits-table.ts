import { MAX_KNOCKS_PER_DAY } from '@deeb/core/alerts/knock-api'
import { MAX_CASES } from '@deeb/core/cases/case'
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

export const MINUTE = 60
export const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Every limit of the server. limits-texts.ts describes them. */
export const LIMITS = {
  signUp: bucket('sign-up', 200, HOUR),
  signIn: bucket('sign-in', 30, 5 * MINUTE),
  passkeyChallenge: bucket('passkey', 600, 5 * MINUTE),
  companySignIn: bucket('sso', 600, 5 * MINUTE),
  companyCallback: bucket('sso-callback', 600, 5 * MINUTE),
  companyExchange: bucket('sso-exchange', 600, 5 * MINUTE),
  companyCode: cap(5, 'codes'),
  companyCodeToOne: window(10, HOUR, 3),
  companyCodeToAll: window(500, HOUR, 10),
  companyLogout: bucket('sso-logout', 600, MINUTE),
  guessFromOneNetwork: backoff('guess-ip', 5, 900),
  guessFromAnywhere: backoff('guess-account', 10, 180),
  /** NIST 800-63B. The owner is never locked out on a familiar network. */
  failedSignIns: cap(100, 'attempts'),
  currentPassword: backoff('current', 5, 900),
  openLink: bucket('verify', 30, 5 * MINUTE),
  readLink: bucket('links', 600, HOUR),
  readInvitation: bucket('invitations', 600, HOUR),
  requestMail: bucket('mail', 10, HOUR),
  recoveryToOne: window(3, 30 * MINUTE),
  recoveryToAll: window(500, HOUR, 10),
  alreadyToOne: window(1, DAY),
  alreadyToAll: window(500, HOUR, 10),
  confirmToOne: window(10, HOUR, 3),
  confirmToAll: window(2_500, HOUR, 10),
  emailChangeToOne: window(10, HOUR, 3),
  emailChangeToAll: window(500, HOUR, 10),
  requestEmailsToOne: window(1, DAY),
  requestEmailsToAll: window(20, MINUTE),
  requestsWithEmail: cap(50, 'requests'),
  unsubscribe: bucket('unsubscribe', 600, HOUR),
  pendingSignUps: cap(100, 'caller networks'),
  totpCode: bucket('codes', 5, MINUTE),
  wrongCodes: cap(100, 'codes'),
  wrongCodesAfterRecovery: cap(10, 'codes'),
  forgedRefresh: bucket('forged', 150, 5 * MINUTE),
  refresh: bucket('refreshes', 10, MINUTE),
  lead: bucket('leads', 100, HOUR),
  click: bucket('clicks', 600, HOUR),
  successfulSignIn: bucket('signed-in', 60, HOUR),
  sessionRequest: bucket('session-request', 60, MINUTE),
  deadToken: bucket('dead-token', 300, 5 * MINUTE),
  read: bucket('read', 600, MINUTE),
  search: bucket('search', 120, MINUTE),
  write: bucket('write', 120, MINUTE),
  requestToOne: bucket('request-to-one', 3, DAY),
  subscribePush: bucket('subscribe-push', 60, HOUR),
  pushSubscriptions: cap(10, 'browsers'),
  pushesToOne: window(60, HOUR),
  pushesToAll: window(600, MINUTE),
  linkChat: bucket('link-chat', 20, HOUR),
  chatCallback: bucket('chat-callback', 200, 5 * MINUTE),
  testChat: bucket('test-chat', 10, 5 * MINUTE),
  webhooks: cap(MAX_WEBHOOKS, 'webhooks'),
  changeWebhook: bucket('change-webhook', 60, HOUR),
  sendWebhook: bucket('send-webhook', 60, HOUR),
  webhooksToOne: window(600, HOUR),
  newCircle: bucket('new-circle', 5, DAY),
  circles: cap(MAX_CIRCLES, 'circles'),
  circlePreview: bucket('circle-preview', 60, HOUR),
  joinCircle: bucket('join-circle', 30, HOUR),
  changeCircle: bucket('change-circle', 60, HOUR),
  newCalendarLink: bucket('new-calendar-link', 20, HOUR),
  readCalendar: bucket('read-calendar', 20, 5 * MINUTE),
  unknownCalendar: bucket('unknown-calendar', 300, 5 * MINUTE),
  calendarEvents: cap(5_000, 'sessions'),
  replay: bucket('replay', 60, MINUTE),
  replayedChanges: cap(MAX_CHANGES_PER_CALL, 'switches'),
  knocks: window(MAX_KNOCKS_PER_DAY, DAY),
  knocksInSession: cap(1, 'knock'),
  interruptionPresses: cap(1_000, 'presses'),
  download: bucket('download', 10, HOUR),
  runningDownloads: cap(1, 'download'),
  openStream: bucket('stream', 120, MINUTE),
  openStreams: cap(20, 'streams'),
  signs: cap(MAX_SIGNS, 'signs'),
  newSign: bucket('new-sign', 20, DAY),
  wrongSign: bucket('wrong-sign', 300, 5 * MINUTE),
  readSign: bucket('read-sign', 60, MINUTE),
  openSignStreams: cap(4, 'streams'),
  signStreams: cap(2_000, 'streams'),
  cases: cap(MAX_CASES, 'codes'),
  newCase: bucket('new-case', 20, DAY),
  tapCase: bucket('tap-case', 60, 5 * MINUTE),
  wrongCase: bucket('wrong-case', 300, 5 * MINUTE),
  focusSessions: cap(MAX_SESSIONS_PER_DAY, 'sessions'),
  personalToken: bucket('personal-token', 120, MINUTE),
  unknownToken: bucket('unknown-token', 300, 5 * MINUTE),
  createToken: bucket('create-token', 20, HOUR),
  personalTokens: cap(MAX_TOKENS, 'tokens'),
  scimToken: bucket('scim-token', 30, 5 * MINUTE),
  scim: bucket('scim', 3_000, MINUTE),
  scimWrites: cap(500, 'requests'),
  scimUsers: cap(100_000, 'people'),
  scimOperations: cap(100, 'operations'),
  scimBody: cap(64 * 1024, 'bytes'),
  ipv6Site: cap(16, 'times as much'),
  requestBody: cap(16 * 1024, 'bytes'),
}

function bucket(name: string, burst: number, seconds: number): TokenBucketRule {
  return { name, burst, seconds }
}

function backoff(name: string, free: number, maxSeconds: number): BackoffRule {
  return { name, free, maxSeconds }
}

function window(max: number, seconds: number, share?: number): WindowRule {
  return { max, seconds, ...(share && { share }) }
}

function cap(max: number, unit: string): CapRule {
  return { max, unit }
}
