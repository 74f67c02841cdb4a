import type { MicrosoftConfig } from '../config/chat-config.ts'
import { type Account, type Adapter, ChatError, type Credentials, type Shown } from './adapter.ts'
import type { CallChat, ChatAnswer } from './call-chat.ts'
import { claimsOf, readTokens, tokenEndpoint } from './token-endpoint.ts'

const SCOPE = 'offline_access openid profile https://graph.microsoft.com/Presence.ReadWrite'
const DND = 'DoNotDisturb'
/** Teams adds it to a message that shows when people write to the person. */
const PINNED = '<pinnednote></pinnednote>'

/** Microsoft Teams, by Microsoft Graph. Graph limits apps by `Retry-After`; these rates are far below its published limits. */
export function microsoftAdapter(
  { clientId, clientSecret, tenant, loginUrl, graphUrl }: MicrosoftConfig,
  callChat: CallChat,
): Adapter {
  const oauthUrl = `${loginUrl}/${tenant}/oauth2/v2.0`
  const askForTokens = tokenEndpoint(callChat, `${oauthUrl}/token`, {
    client_id: clientId,
    client_secret: clientSecret,
  })

  async function post(account: Account, action: string, json: object): Promise<void> {
    const url = `${graphUrl}/v1.0/users/${encodeURIComponent(account.accountId)}/presence/${action}`
    const answer = await callChat(url, { method: 'POST', auth: `Bearer ${account.credentials.accessToken}`, json })
    if (answer.status >= 300) throw errorOf(answer)
  }

  async function presenceOf({ accessToken }: Credentials) {
    const answer = await callChat(`${graphUrl}/v1.0/me/presence`, { auth: `Bearer ${accessToken}` })
    if (answer.status !== 200) throw errorOf(answer)
    return answer.body
  }

  function setMessage(account: Account, { text, until }: Shown): Promise<void> {
    const end = until && { expiryDateTime: { dateTime: until.replace('Z', ''), timeZone: 'UTC' } }
    const message = { content: text, contentType: 'text' }
    return post(account, 'setStatusMessage', { statusMessage: { message, ...end } })
  }

  return {
    oauth: {
      authorizeUrl({ redirectUri, state, challenge }) {
        const query = {
          ...{ client_id: clientId, response_type: 'code', response_mode: 'query', redirect_uri: redirectUri },
          ...{ scope: SCOPE, state, code_challenge: challenge, code_challenge_method: 'S256' },
        }
        return `${oauthUrl}/authorize?${new URLSearchParams(query)}`
      },
      async exchange({ code, redirectUri, verifier, now }) {
        const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
        const body = await askForTokens(form)
        const credentials = readTokens(body, now)
        // Reading the presence proves that the token has its scope, and names its account.
        const { id } = await presenceOf(credentials)
        if (typeof id !== 'string') throw new ChatError('relink', 'no account')
        const { tid, preferred_username } = claimsOf(body)
        return {
          accountId: id,
          accountName: preferred_username ?? null,
          workspace: tid ?? tenant,
          workspaceName: null,
          credentials,
        }
      },
      async refresh({ refreshToken = '' }, now) {
        const form = { grant_type: 'refresh_token', refresh_token: refreshToken, scope: SCOPE }
        return readTokens(await askForTokens(form), now, refreshToken)
      },
    },
    parts: {
      text: {
        perMinute: 240,
        burst: 20,
        async read({ credentials }) {
          const { message, expiryDateTime } = (await presenceOf(credentials)).statusMessage ?? {}
          const text = String(message?.content ?? '').replaceAll(PINNED, '')
          const end = expiryDateTime?.dateTime
          const until = typeof end === 'string' ? new Date(end.endsWith('Z') ? end : `${end}Z`) : null
          return text === ''
            ? null
            : { text, until: until && !Number.isNaN(until.getTime()) ? until.toISOString() : null }
        },
        plan: ({ text, until }) => ({ text, until: until.toISOString() }),
        async on(account, wanted) {
          const shown = this.plan(wanted)
          await setMessage(account, shown)
          return shown
        },
        off: (account, before) => setMessage(account, before ?? { text: '', until: null }),
      },
      dnd: {
        perMinute: 240,
        burst: 20,
        // A person who is offline may have chosen "Appear offline". A preferred presence has no effect without a Teams client.
        async read({ credentials }) {
          const { availability } = await presenceOf(credentials)
          if (availability === 'Offline') return { text: availability, until: null, isUnknown: true }
          return availability === DND ? { text: DND, until: null } : null
        },
        plan: ({ until }) => ({ text: DND, until: until.toISOString() }),
        async on(account, wanted) {
          const minutes = Math.max(1, Math.ceil((wanted.until.getTime() - wanted.now.getTime()) / 60_000))
          const preferred = { availability: DND, activity: DND, expirationDuration: `PT${minutes}M` }
          await post(account, 'setUserPreferredPresence', preferred)
          return this.plan(wanted)
        },
        off: (account) => post(account, 'clearUserPreferredPresence', {}),
      },
    },
  }
}

function errorOf({ status, body }: ChatAnswer): ChatError {
  const reason = `status ${status} ${String(body?.error?.code ?? '')}`.trim()
  return new ChatError(status === 401 ? 'relink' : 'give up', reason)
}
