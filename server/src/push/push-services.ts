import { lookup } from 'node:dns'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'
import type { Config } from '../config.ts'
import { isLoopback } from '../loopback.ts'

/** Networks that are not public (IANA's registries of special-purpose addresses). */
const NOT_PUBLIC = new BlockList()
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
]) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4')
}
/** Within 2000::/3: Teredo and others, documentation, 6to4. */
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6')
}
/** All that IANA has given out. Not in it: addresses of one machine or link, private ones, and IPv4 written as IPv6. */
const GLOBAL_IPV6 = new BlockList()
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is one of the Internet, not of this machine or network. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  if (!isIPv6(address)) return !NOT_PUBLIC.check(address, 'ipv4')
  return GLOBAL_IPV6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/**
 * The URL of a push service if this server may call it, else null: https on its port, at a host name. With `PUSH=local` also on
 * this machine. A host name may still lead to any address: see `lookUpPublic`.
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

/**
 * Looks up a host name and fails unless all its addresses are public (SSRF). It is part of the connection, so that a second lookup
 * cannot lead elsewhere (DNS rebinding).
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return callback(error ?? new Error('The host has no address.'), '')
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new Error('The host is not on the Internet.'), '')
    }
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family)
  })
}
