/** A chat system in which people can show deeb mode. */
export type ChatSystem = (typeof CHAT_SYSTEMS)[number]

export const CHAT_SYSTEMS = ['slack', 'microsoft', 'google', 'mattermost', 'zulip'] as const

/** A part of a chat account that deeb sets: the text of the status, or "do not disturb", which pauses notifications. */
export type StatusPart = 'text' | 'dnd'

interface SystemFacts {
  name: string
  parts: readonly StatusPart[]
  /** How a person connects it: at the system itself (OAuth), or by a token that they type. */
  linkedBy: 'oauth' | 'token'
  /** Whether the system ends a status by itself, also while deeb's server is down. */
  expires: boolean
}

export const CHAT_SYSTEM_FACTS: Readonly<Record<ChatSystem, SystemFacts>> = {
  slack: {
    name: 'Slack',
    parts: ['text', 'dnd'],
    linkedBy: 'oauth',
    expires: true,
  },
  microsoft: {
    name: 'Microsoft Teams',
    parts: ['text', 'dnd'],
    linkedBy: 'oauth',
    expires: true,
  },
  google: {
    name: 'Google Chat',
    parts: ['dnd'],
    linkedBy: 'oauth',
    expires: true,
  },
  mattermost: {
    name: 'Mattermost',
    parts: ['text', 'dnd'],
    linkedBy: 'token',
    expires: true,
  },
  zulip: {
    name: 'Zulip',
    parts: ['text'],
    linkedBy: 'token',
    expires: false,
  },
}
