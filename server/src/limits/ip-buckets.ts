import { callerNetwork, ipNetwork } from './ip-network.ts'
import { LIMITS } from './limits-table.ts'
import type { RateLimitStore, TokenBucketRule } from './rate-limit-store.ts'

/** Token buckets whose key is an IP address. */
export type IpBuckets = Pick<RateLimitStore, 'take' | 'refund'>

/**
 * Limits requests per IP network, and IPv6 also per /48, because a /48 contains 65,536 networks. Only requests that the /64 allows
 * take a token of the /48, so that one /64 cannot use up the limit of the others.
 */
export function createIpBuckets(limitStore: IpBuckets): IpBuckets {
  return {
    take(rule, ip, now) {
      const waitSeconds = limitStore.take(rule, ipNetwork(ip), now)
      const site = siteOf(ip)
      if (waitSeconds > 0 || site === null) return waitSeconds
      const siteWaitSeconds = limitStore.take(siteRule(rule), site, now)
      if (siteWaitSeconds > 0) limitStore.refund(rule, ipNetwork(ip))
      return siteWaitSeconds
    },
    refund(rule, ip) {
      limitStore.refund(rule, ipNetwork(ip))
      const site = siteOf(ip)
      if (site !== null) limitStore.refund(siteRule(rule), site)
    },
  }
}

/** The /48 of an IPv6 address. */
function siteOf(ip: string): string | null {
  const site = callerNetwork(ip)
  return site === ip ? null : site
}

function siteRule({ name, burst, seconds }: TokenBucketRule): TokenBucketRule {
  return { name: `${name} of a /48`, burst: LIMITS.ipv6Site.max * burst, seconds }
}
