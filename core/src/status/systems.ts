/** A chat system in which people can show deeb mode. */
export type ChatSystem = (typeof CHAT_SYSTEMS)[number]

export const CHAT_SYSTEMS = ['slack', 'microsoft', 'google', 'mattermost', 'zulip'] as const

/** What deeb sets in a chat system: the text of the status, or "do not disturb", which pauses notifications. */
export type StatusPart = 'text' | 'dnd'

interface SystemFacts {
  name: string
  parts: readonly StatusPart[]
  /** How a person connects it: at the system itself (OAuth), or by a token that they type. */
  linkedBy: 'oauth' | 'token'
  /** Whether the system ends a status by itself, also while deeb's server is down. */
  expires: boolean
  whoSees: string
}

export const CHAT_SYSTEM_FACTS: Readonly<Record<ChatSystem, SystemFacts>> = {
  slack: {
    name: 'Slack',
    parts: ['text', 'dnd'],
    linkedBy: 'oauth',
    expires: true,
    whoSees:
      'Everyone in your Slack workspace will see this, and people in channels that it shares with other companies.',
  },
  microsoft: {
    name: 'Microsoft Teams',
    parts: ['text', 'dnd'],
    linkedBy: 'oauth',
    expires: true,
    whoSees:
      'Everyone who sees your presence in Microsoft Teams will see this: your organization, and people outside it with whom you chat.',
  },
  google: {
    name: 'Google Chat',
    parts: ['dnd'],
    linkedBy: 'oauth',
    expires: true,
    whoSees: 'Everyone who can chat with you in Google Chat will see that you do not want to be disturbed.',
  },
  mattermost: {
    name: 'Mattermost',
    parts: ['text', 'dnd'],
    linkedBy: 'token',
    expires: true,
    whoSees: 'Everyone on your Mattermost server will see this.',
  },
  zulip: {
    name: 'Zulip',
    parts: ['text'],
    linkedBy: 'token',
    expires: false,
    whoSees: 'Everyone in your Zulip organization will see this.',
  },
}
