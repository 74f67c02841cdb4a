import { type Account, type Adapter, ChatError, type Credentials, type Shown } from './adapter.ts'
import type { CallChat } from './call-chat.ts'

const EMOJI = 'headphones'
const MAX_CHARACTERS = 60

/**
 * A Zulip organization whose address a person has typed, by its API and key. A status there has no end: if this server is down, it
 * stays until the next start. Zulip allows 200 calls a minute for each person.
 */
export function zulipAdapter(callChat: CallChat): Adapter {
  async function api({ server, email, accessToken }: Credentials, path: string, form?: Record<string, string>) {
    const auth = `Basic ${Buffer.from(`${email}:${accessToken}`).toString('base64')}`
    const request = form ? { method: 'POST' as const, auth, form } : { auth }
    const { status, body } = await callChat(`${server}/api/v1/users/${path}`, request)
    if (status === 200 && body?.result === 'success') return body
    throw new ChatError(
      status === 401 && body ? 'relink' : 'give up',
      `status ${status} ${String(body?.code ?? '')}`.trim(),
    )
  }

  async function setStatus(
    { credentials }: Account,
    { text, emoji = '' }: Pick<Shown, 'text' | 'emoji'>,
  ): Promise<void> {
    await api(credentials, 'me/status', { status_text: text, emoji_name: emoji })
  }

  return {
    async identify(credentials) {
      const { user_id, full_name } = await api(credentials, 'me')
      if (!Number.isSafeInteger(user_id)) throw new ChatError('give up', 'not a Zulip server')
      const server = credentials.server ?? ''
      return {
        accountId: String(user_id),
        accountName: full_name ?? null,
        workspace: server,
        workspaceName: new URL(server).host,
        credentials,
      }
    },
    parts: {
      text: {
        perMinute: 120,
        burst: 10,
        async read({ accountId, credentials }) {
          const { status } = await api(credentials, `${encodeURIComponent(accountId)}/status`)
          const { status_text: text = '', emoji_name: emoji = '' } = status ?? {}
          return text === '' && emoji === '' ? null : { text, emoji, until: null }
        },
        plan: ({ text }) => ({ text: fitting(text), emoji: EMOJI, until: null }),
        async on(account, wanted) {
          const shown = this.plan(wanted)
          await setStatus(account, shown)
          return shown
        },
        off: (account, before) => setStatus(account, before ?? { text: '' }),
      },
    },
  }
}

/** The text, without its end if that has no room. A part of a word, or a space at the end, which Zulip removes, would not be recognized. */
function fitting(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : text.replace(/ until ~\d\d:\d\d$/, '')
}
