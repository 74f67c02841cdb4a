import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import { isLoopback } from '../config/loopback.ts'

/**
 * The URL of a push service if this server may call it, else null: https on its port, at a host name. With `PUSH=local` also on
 * this machine. A host name may still lead to any address: `fetchOutside` checks that.
 */
export function readPushUrl(text: string, { push }: Pick<Config, 'push'>): URL | null {
  if (!URL.canParse(text)) return null
  const url = new URL(text)
  const { protocol, hostname, port, username, password } = url
  if (username || password) return null
  if (push === 'local' && isLoopback(hostname)) return ['http:', 'https:'].includes(protocol) ? url : null
  const isName = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 && hostname.includes('.')
  return protocol === 'https:' && port === '' && isName ? url : null
}
