import type { Config } from '../config/config.ts'
import { Refusal } from '../lib/refusal.ts'
import { leadsOutside, readOutsideUrl } from '../outside/fetch-outside.ts'

/**
 * The URL in its usual spelling. Refuses with `invalid_input` if this server would not call it, and with `not_found` if it sends no
 * webhooks.
 */
export function requireOutsideUrl(text: string, { webhooks, webhookAllow }: Pick<Config, 'webhooks' | 'webhookAllow'>) {
  if (!webhooks) throw new Refusal('not_found')
  const href = readOutsideUrl(text, webhookAllow)?.href
  if (href && href.length <= 2_000) return href
  throw refused()
}

/**
 * Refuses an http URL whose host is not in an allowed network. An unknown name is refused too, since a difference would show the names
 * of a network.
 */
export async function requireAllowedHost(href: string, { webhookAllow }: Pick<Config, 'webhookAllow'>): Promise<void> {
  const url = new URL(href)
  if (url.protocol === 'http:' && !(await leadsOutside(url, webhookAllow))) throw refused()
}

function refused(): Refusal {
  return new Refusal('invalid_input', [{ path: 'url', message: 'Must be an https URL that deeb may call.' }])
}
