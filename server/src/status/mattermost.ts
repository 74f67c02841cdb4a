import { type Account, type Adapter, ChatError, type Credentials, isoOrNull, type Shown } from './adapter.ts'
import type { CallChat } from './call-chat.ts'

const EMOJI = 'headphones'

/** A Mattermost server that a person has typed, by its API version 4 and a personal access token. */
export function mattermostAdapter(callChat: CallChat): Adapter {
  async function api(
    { server, accessToken }: Credentials,
    method: 'GET' | 'PUT' | 'DELETE',
    path: string,
    json?: object,
  ) {
    const request = { method, auth: `Bearer ${accessToken}`, ...(json && { json }) }
    const { status, body } = await callChat(`${server}/api/v4/users/me${path}`, request)
    if (status >= 200 && status < 300 && body !== null) return body
    // An answer without JSON is not of Mattermost, such as that of a proxy in front of it.
    throw new ChatError(
      status === 401 && body ? 'relink' : 'give up',
      `status ${status} ${String(body?.id ?? '')}`.trim(),
    )
  }

  async function setCustom({ credentials }: Account, { text, emoji = '', until }: Shown): Promise<void> {
    const duration = until === null ? { duration: '' } : { duration: 'date_and_time', expires_at: until }
    await api(credentials, 'PUT', '/status/custom', { text, emoji, ...duration })
  }

  return {
    async identify(credentials) {
      const { id, username } = await api(credentials, 'GET', '')
      if (typeof id !== 'string') throw new ChatError('give up', 'not a Mattermost server')
      const server = credentials.server ?? ''
      return {
        accountId: id,
        accountName: username ?? null,
        workspace: server,
        workspaceName: hostOf(server),
        credentials,
      }
    },
    parts: {
      text: {
        perMinute: 120,
        burst: 10,
        async read({ credentials }) {
          const { props } = await api(credentials, 'GET', '')
          return customStatusOf(props?.customStatus)
        },
        plan: ({ text, until }) => ({ text, emoji: EMOJI, until: until.toISOString() }),
        async on(account, wanted) {
          const shown = this.plan(wanted)
          await setCustom(account, shown)
          return shown
        },
        async off(account, before) {
          if (before) await setCustom(account, before)
          else await api(account.credentials, 'DELETE', '/status/custom')
        },
      },
      dnd: {
        perMinute: 120,
        burst: 10,
        async read({ credentials }) {
          const { status, manual, dnd_end_time } = await api(credentials, 'GET', '/status')
          // "Away" and "offline" are a choice only if they were set by hand.
          if (status === 'online' || (manual === false && status !== 'dnd')) return null
          return { text: String(status), until: isoOrNull(dnd_end_time) }
        },
        plan: ({ until }) => ({ text: 'dnd', until: until.toISOString() }),
        async on({ accountId, credentials }, wanted) {
          const dnd_end_time = Math.ceil(wanted.until.getTime() / 1000)
          await api(credentials, 'PUT', '/status', { user_id: accountId, status: 'dnd', dnd_end_time })
          return this.plan(wanted)
        },
        async off({ accountId, credentials }) {
          await api(credentials, 'PUT', '/status', { user_id: accountId, status: 'online' })
        },
      },
    },
  }
}

/** The custom status, which a user has as JSON text. Mattermost keeps one that has expired until somebody looks. */
function customStatusOf(text: unknown): Shown | null {
  if (typeof text !== 'string' || text === '') return null
  const { text: words = '', emoji = '', expires_at } = parsed(text)
  if (words === '' && emoji === '') return null
  const end = new Date(expires_at)
  // Its zero time is the year 1.
  const hasEnd = !Number.isNaN(end.getTime()) && end.getUTCFullYear() > 1
  return { text: words, emoji, until: hasEnd ? end.toISOString() : null }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of Mattermost.
function parsed(text: string): any {
  try {
    return Object(JSON.parse(text))
  } catch {
    // The message of JSON.parse() has a part of the text.
    throw new ChatError('give up', 'the custom status is no JSON')
  }
}

function hostOf(server: string): string {
  return new URL(server).host
}
