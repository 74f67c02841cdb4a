import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Range = ReturnType<typeof ipaddr.parseCIDR>

/** All IPv6 addresses that IANA has given out. Not in it: those of one machine or network, and IPv4 written as IPv6. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Public by the tables of IANA, but inside a cloud: that of Azure serves the keys of the machine that asks. */
const OF_THE_CLOUD = ['168.63.129.16']

/** Whether an IP address is one of the Internet, not of this machine or network. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || OF_THE_CLOUD.includes(address)) return false
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || isWithin(parsed, GLOBAL_IPV6))
}

/** Whether an IP address is in one of these ranges, as in `10.0.0.0/8`. An IPv4 address in the form of IPv6 is in none of IPv4. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  return ranges.some((range) => isWithin(parsed, ipaddr.parseCIDR(range)))
}

/** Whether a text is a range of addresses, as in `10.0.0.0/8` or `fd00::/8`. */
export function isAddressRange(text: string): boolean {
  const [address = ''] = text.split('/', 1)
  return isIP(address) !== 0 && ipaddr.isValidCIDR(text)
}

function isWithin(address: ipaddr.IPv4 | ipaddr.IPv6, range: Range): boolean {
  return address.kind() === range[0].kind() && address.match(range)
}
