import { CHAT_SYSTEMS, type ChatSystem } from '@deeb/core/status/systems'
import type { ChatConfig } from '../config/chat-config.ts'
import { isLoopback } from '../config/loopback.ts'
import { createFetchOutside } from '../outside/fetch-outside.ts'
import type { Adapter } from './adapter.ts'
import { createCallChat } from './call-chat.ts'
import { googleAdapter } from './google.ts'
import { mattermostAdapter } from './mattermost.ts'
import { microsoftAdapter } from './microsoft.ts'
import { slackAdapter } from './slack.ts'
import { zulipAdapter } from './zulip.ts'

/** The adapters of the chat systems that are offered. */
export type Adapters = Partial<Record<ChatSystem, Adapter>>

/** `allow` are private ranges in which people may name a server: the setting `WEBHOOK_ALLOW`. */
export function createAdapters(config: ChatConfig, allow: readonly string[]): Adapters {
  const callNamed = createCallChat(createFetchOutside({ allow }))
  return {
    ...(config.slack && { slack: slackAdapter(config.slack, callTo(config.slack.url)) }),
    ...(config.microsoft && { microsoft: microsoftAdapter(config.microsoft, callTo(config.microsoft.graphUrl)) }),
    ...(config.google && { google: googleAdapter(config.google, callTo(config.google.chatUrl)) }),
    ...(config.hasMattermost && { mattermost: mattermostAdapter(callNamed) }),
    ...(config.hasZulip && { zulip: zulipAdapter(callNamed) }),
  }
}

export function offered(adapters: Adapters): ChatSystem[] {
  return CHAT_SYSTEMS.filter((system) => adapters[system])
}

/** On this machine there are only the systems of tests. */
function callTo(url: string) {
  return createCallChat(createFetchOutside({ allow: isLoopback(new URL(url).hostname) ? ['127.0.0.0/8'] : [] }))
}
