import { isIP } from 'node:net'

/**
 * An IP address in its one spelling, IPv4 inside of IPv6 as IPv4. Without the port that some proxies write behind it,
 * and without the zone of a link. Null for what is none.
 */
export function plainAddress(text: string): string | null {
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
 * Whom a limit takes for one caller: an IPv4 address, or an IPv6 network of 64 bits, the least that anybody is given.
 * Expects what `plainAddress` gives; anything else is its own key.
 */
export function addressKey(ip: string): string {
  return isIP(ip) === 6 ? `${groupsOf(ip).slice(0, 4).join(':')}::/64` : ip
}

/** The eight groups, each without zeros in front. */
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
