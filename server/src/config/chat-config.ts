import { requireText } from './company-config.ts'
import { isLoopback } from './loopback.ts'
import { type Environment, SETTINGS } from './settings-table.ts'

export interface SlackConfig {
  clientId: string
  clientSecret: string
  /** The origin of Slack. */
  url: string
}

export interface MicrosoftConfig {
  clientId: string
  clientSecret: string
  /** `organizations`, or one tenant. */
  tenant: string
  /** The origins of the sign-in and of Microsoft Graph. */
  loginUrl: string
  graphUrl: string
}

export interface GoogleConfig {
  clientId: string
  clientSecret: string
  /** The origins of the consent page, of the token endpoint and of Google Chat. */
  accountsUrl: string
  tokenUrl: string
  chatUrl: string
}

/** The chat systems that the administrator has set up. Null: it is not offered. */
export interface ChatConfig {
  slack: SlackConfig | null
  microsoft: MicrosoftConfig | null
  google: GoogleConfig | null
  hasMattermost: boolean
  hasZulip: boolean
}

/**
 * Parses the settings of the chat systems in which people can show deeb mode. Throws one sentence if one is incomplete or invalid.
 * `readSwitch` parses `on` and `off`.
 */
export function readChat(env: Environment, readSwitch: (name: string, text: string) => boolean): ChatConfig {
  const slack = readClient('SLACK', env.SLACK_CLIENT_ID, env.SLACK_CLIENT_SECRET)
  const microsoft = readClient('MICROSOFT', env.MICROSOFT_CLIENT_ID, env.MICROSOFT_CLIENT_SECRET)
  const slackUrl = readOrigin('SLACK_URL', env.SLACK_URL || SETTINGS.SLACK_URL.default)
  const tenant = readTenant(env.MICROSOFT_TENANT || SETTINGS.MICROSOFT_TENANT.default)
  const google = readClient('GOOGLE', env.GOOGLE_CLIENT_ID, env.GOOGLE_CLIENT_SECRET)
  return {
    slack: slack && { ...slack, url: slackUrl },
    microsoft: microsoft && {
      ...microsoft,
      tenant,
      loginUrl: 'https://login.microsoftonline.com',
      graphUrl: 'https://graph.microsoft.com',
    },
    google: google && {
      ...google,
      accountsUrl: 'https://accounts.google.com',
      tokenUrl: 'https://oauth2.googleapis.com',
      chatUrl: 'https://chat.googleapis.com',
    },
    hasMattermost: readSwitch('MATTERMOST', env.MATTERMOST || SETTINGS.MATTERMOST.default),
    hasZulip: readSwitch('ZULIP', env.ZULIP || SETTINGS.ZULIP.default),
  }
}

function readClient(system: string, id: string | undefined, secret: string | undefined) {
  if (!id && !secret) return null
  if (!id || !secret) throw new Error(`Set ${system}_CLIENT_${id ? 'SECRET' : 'ID'} too, or remove the other one.`)
  return {
    clientId: requireText(`${system}_CLIENT_ID`, id),
    clientSecret: requireText(`${system}_CLIENT_SECRET`, secret),
  }
}

function readTenant(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{0,99}$/i.test(text)) return text
  throw new Error(`MICROSOFT_TENANT must be "organizations" or the id or domain of a tenant, not "${text}".`)
}

function readOrigin(name: string, text: string): string {
  if (URL.canParse(text)) {
    const { protocol, hostname, origin, href } = new URL(text)
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
    if (isSafe && href === `${origin}/`) return origin
  }
  throw new Error(`${name} must be an origin such as https://slack-gov.com.`)
}
