import type { SlackConfig } from '../config/chat-config.ts'
import { type Account, type Adapter, ChatError, type Credentials, isoOrNull, type Shown } from './adapter.ts'
import type { CallChat } from './call-chat.ts'

const SCOPES = ['users.profile:read', 'users.profile:write', 'dnd:read', 'dnd:write']
const EMOJI = ':headphones:'

/** Errors of Slack that say that a token does not work any more. */
const REFUSED = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
  'invalid_refresh_token',
]
/** Errors of OAuth about a code that is wrong, expired or used. */
const BAD_CODE = ['invalid_code', 'code_already_used', 'bad_redirect_uri']
const PASSING = [
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]
/** Errors about this server's own settings: no reason to end the links of people. */
const OF_THIS_SERVER = ['invalid_client_id', 'bad_client_secret', 'invalid_grant_type', 'invalid_arguments']

/**
 * Slack, by its Web API. The published limits per workspace are 50 a minute for `users.profile.set` and 20 for `dnd.setSnooze`
 * (tiers 3 and 2); `users.profile.get` and `dnd.info` have higher ones.
 */
export function slackAdapter({ clientId, clientSecret, url }: SlackConfig, callChat: CallChat): Adapter {
  async function api(method: string, request: Parameters<CallChat>[1]) {
    const { body } = await callChat(`${url}/api/${method}`, { method: 'POST', ...request })
    if (body?.ok === true) return body
    throw errorOf(String(body?.error ?? 'no answer of Slack'))
  }
  const as = ({ credentials }: Account) => ({ auth: `Bearer ${credentials.accessToken}` })

  async function setProfile(account: Account, { text, emoji = '', until }: Shown): Promise<void> {
    const status_expiration = until === null ? 0 : Math.floor(Date.parse(until) / 1000)
    const profile = { status_text: text, status_emoji: emoji, status_expiration }
    await api('users.profile.set', { ...as(account), json: { profile } })
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer of Slack.
  function tokensOf(user: any, now: Date): Credentials {
    if (typeof user?.access_token !== 'string') throw new ChatError('relink', 'no token')
    const granted = String(user.scope ?? '').split(',')
    if (user.scope && !SCOPES.every((scope) => granted.includes(scope)))
      throw new ChatError('relink', 'scopes are missing')
    return {
      accessToken: user.access_token,
      ...(user.refresh_token && { refreshToken: user.refresh_token }),
      ...(user.expires_in && { expiresAtMs: now.getTime() + user.expires_in * 1000 }),
    }
  }

  return {
    oauth: {
      authorizeUrl({ redirectUri, state }) {
        const query = { client_id: clientId, scope: '', user_scope: SCOPES.join(','), redirect_uri: redirectUri, state }
        return `${url}/oauth/v2/authorize?${new URLSearchParams(query)}`
      },
      async exchange({ code, redirectUri, now }) {
        const form = { client_id: clientId, client_secret: clientSecret, code, redirect_uri: redirectUri }
        const { authed_user: user, team } = await api('oauth.v2.access', { form })
        if (typeof user?.id !== 'string' || typeof team?.id !== 'string') throw new ChatError('relink', 'no workspace')
        const credentials = tokensOf(user, now)
        const { profile } = await api('users.profile.get', { auth: `Bearer ${credentials.accessToken}`, form: {} })
        return {
          accountId: user.id,
          accountName: profile?.display_name || profile?.real_name || null,
          workspace: team.id,
          workspaceName: team.name ?? null,
          credentials,
        }
      },
      async refresh({ refreshToken = '' }, now) {
        const form = {
          client_id: clientId,
          client_secret: clientSecret,
          grant_type: 'refresh_token',
          refresh_token: refreshToken,
        }
        const body = await api('oauth.v2.access', { form })
        return tokensOf(body.authed_user ?? body, now)
      },
    },
    async revoke(account) {
      await api('auth.revoke', { ...as(account), form: {} })
    },
    parts: {
      text: {
        perMinute: 40,
        burst: 5,
        async read(account) {
          const { profile } = await api('users.profile.get', { ...as(account), form: {} })
          const { status_text = '', status_emoji = '', status_expiration } = profile ?? {}
          if (status_text === '' && status_emoji === '') return null
          return { text: unescapeSlack(status_text), emoji: status_emoji, until: isoOrNull(status_expiration) }
        },
        plan: ({ text, until }) => ({ text, emoji: EMOJI, until: until.toISOString() }),
        async on(account, wanted) {
          const shown = this.plan(wanted)
          await setProfile(account, shown)
          return shown
        },
        off: (account, before) => setProfile(account, before ?? { text: '', emoji: '', until: null }),
      },
      dnd: {
        perMinute: 15,
        burst: 3,
        async read(account) {
          const { snooze_enabled, snooze_endtime } = await api('dnd.info', { ...as(account), form: {} })
          return snooze_enabled === true ? { text: 'snooze', until: isoOrNull(snooze_endtime) } : null
        },
        plan: ({ now, until }) => ({
          text: 'snooze',
          until: new Date(now.getTime() + minutesUntil(until, now) * 60_000).toISOString(),
        }),
        async on(account, wanted) {
          const num_minutes = String(minutesUntil(wanted.until, wanted.now))
          const { snooze_endtime } = await api('dnd.setSnooze', { ...as(account), form: { num_minutes } })
          return { text: 'snooze', until: isoOrNull(snooze_endtime) ?? this.plan(wanted).until }
        },
        async off(account) {
          await api('dnd.endSnooze', { ...as(account), form: {} }).catch((error: unknown) => {
            if (!(error instanceof ChatError && error.message === 'snooze_not_active')) throw error
          })
        },
      },
    },
  }
}

function errorOf(error: string): ChatError {
  if (REFUSED.includes(error) || BAD_CODE.includes(error)) return new ChatError('relink', error)
  if (PASSING.includes(error) || OF_THIS_SERVER.includes(error)) return new ChatError('retry', error)
  return new ChatError('give up', error)
}

/** Whole minutes, rounded up, so that a short time is not zero. */
function minutesUntil(until: Date, now: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 60_000))
}

/** Slack stores these three characters as HTML entities. */
function unescapeSlack(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}
