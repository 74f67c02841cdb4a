import type { Config } from '../config.ts'
import { readOutsideUrl } from '../outside/fetch-outside.ts'
import { Refusal } from '../refusal.ts'

/**
 * The URL in its usual spelling. Refuses with `invalid_input` if this server would not call it, and with `not_found` if it sends no
 * webhooks.
 */
export function requireOutsideUrl(text: string, { webhooks, webhookAllow }: Pick<Config, 'webhooks' | 'webhookAllow'>) {
  if (!webhooks) throw new Refusal('not_found')
  const href = readOutsideUrl(text, webhookAllow)?.href
  if (href && href.length <= 2_000) return href
  throw new Refusal('invalid_input', [{ path: 'url', message: 'Must be an https URL that deeb may call.' }])
}
