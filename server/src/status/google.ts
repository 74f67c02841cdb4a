import type { GoogleConfig } from '../config/chat-config.ts'
import { type Account, type Adapter, ChatError } from './adapter.ts'
import type { CallChat, ChatAnswer } from './call-chat.ts'
import { claimsOf, readTokens, tokenEndpoint } from './token-endpoint.ts'

const CHAT_SCOPE = 'https://www.googleapis.com/auth/chat.users.availability'
/** After this time Google derives the state from what the person does. */
const ACTIVE_FOR = '60s'

/** Google Chat, by the availability of its REST API. It has no text in deeb: there the state alone counts. */
export function googleAdapter(
  { clientId, clientSecret, accountsUrl, tokenUrl, chatUrl }: GoogleConfig,
  callChat: CallChat,
): Adapter {
  const askForTokens = tokenEndpoint(callChat, `${tokenUrl}/token`, {
    client_id: clientId,
    client_secret: clientSecret,
  })

  async function availability({ credentials }: Pick<Account, 'credentials'>, action?: string, json?: object) {
    const url = `${chatUrl}/v1/users/me/availability${action ? `:${action}` : ''}`
    const auth = `Bearer ${credentials.accessToken}`
    const answer = await callChat(url, json ? { method: 'POST', auth, json } : { auth })
    if (answer.status !== 200) throw errorOf(answer)
    return answer.body
  }

  return {
    oauth: {
      authorizeUrl({ redirectUri, state, challenge }) {
        const query = {
          ...{ client_id: clientId, response_type: 'code', redirect_uri: redirectUri, state },
          // Google gives a refresh token with the first consent only, unless the consent is asked for again.
          ...{ scope: `openid email ${CHAT_SCOPE}`, access_type: 'offline', prompt: 'consent' },
          ...{ code_challenge: challenge, code_challenge_method: 'S256' },
        }
        return `${accountsUrl}/o/oauth2/v2/auth?${new URLSearchParams(query)}`
      },
      async exchange({ code, redirectUri, verifier, now }) {
        const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
        const body = await askForTokens(form)
        const credentials = readTokens(body, now)
        // People can leave out a scope on the consent page.
        if (!String(body.scope).split(' ').includes(CHAT_SCOPE)) throw new ChatError('relink', 'scopes are missing')
        const { name } = await availability({ credentials })
        const { sub, email, hd } = claimsOf(body)
        return {
          accountId: sub ?? String(name),
          accountName: email ?? null,
          workspace: hd ?? 'google',
          workspaceName: hd ?? null,
          credentials,
        }
      },
      async refresh({ refreshToken = '' }, now) {
        const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
        return readTokens(await askForTokens(form), now, refreshToken)
      },
    },
    async revoke({ credentials }) {
      const form = { token: credentials.refreshToken ?? credentials.accessToken }
      await callChat(`${tokenUrl}/revoke`, { method: 'POST', form })
    },
    parts: {
      dnd: {
        perMinute: 120,
        burst: 10,
        async read(account) {
          const { state, doNotDisturbMetadata } = await availability(account)
          return state === 'DO_NOT_DISTURB'
            ? { text: state, until: normalTime(doNotDisturbMetadata?.expirationTime) }
            : null
        },
        plan: ({ until }) => ({ text: 'DO_NOT_DISTURB', until: until.toISOString() }),
        async on(account, wanted) {
          const shown = this.plan(wanted)
          await availability(account, 'markAsDoNotDisturb', { expireTime: shown.until })
          return shown
        },
        async off(account) {
          await availability(account, 'markAsActive', { ttl: ACTIVE_FOR })
        },
      },
    },
  }
}

function errorOf({ status, body }: ChatAnswer): ChatError {
  const reason = `status ${status} ${String(body?.error?.status ?? '')}`.trim()
  return new ChatError(status === 401 ? 'relink' : 'give up', reason)
}

/** Timestamps of Google have up to nanoseconds. */
function normalTime(text: unknown): string | null {
  const time = new Date(String(text))
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
