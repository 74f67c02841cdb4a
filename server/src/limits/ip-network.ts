import { isIP } from 'node:net'

/**
 * Normalizes an IP address; null for any other text. Drops the port that some proxies append and the zone of a link-local
 * address, and writes an IPv4-mapped IPv6 address as IPv4.
 */
export function normalizeIp(text: string): string | null {
  const bare = text
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/%.*$/, '')
  const version = isIP(bare)
  if (version !== 6) return version === 4 ? bare : null
  const groups = groupsOf(bare)
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isMapped ? dotted(groups.slice(6)) : groups.join(':')
}

/**
 * The network that a rate limit counts as one caller: an IPv4 address, or an IPv6 /64, the smallest network a customer
 * gets. Expects a normalized address; any other text is its own key.
 */
export function ipNetwork(ip: string): string {
  return isIP(ip) === 6 ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip
}

/**
 * The largest network that one customer usually gets: an IPv4 address, or an IPv6 /48. Limits of emails and pending sign-ups count
 * it as one caller. Expects a normalized address; any other text is its own key.
 */
export function callerNetwork(ip: string): string {
  return isIP(ip) === 6 ? `${groupsOf(ip).slice(0, 3).join(':')}::/48` : ip
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(ip: string): string[] {
  const [left = [], right] = new URL(`http://[${ip}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((side) => side.split(':').filter(Boolean))
  if (!right) return left
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
}

function dotted(groups: string[]): string {
  const bytes = groups.map((group) => Number.parseInt(group, 16)).flatMap((pair) => [pair >> 8, pair & 255])
  return bytes.join('.')
}
