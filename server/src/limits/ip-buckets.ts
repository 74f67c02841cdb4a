import { callerNetwork, ipNetwork } from './ip-network.ts'
import { LIMITS } from './limits-table.ts'
import type { RateLimitStore, TokenBucketRule } from './rate-limit-store.ts'

/** Token buckets whose key is an IP address. */
export type IpBuckets = Pick<RateLimitStore, 'take' | 'refund'>

/**
 * Counts a request per IP network, and an IPv6 one per /48 too: else a /48 would be 65,536 callers. Only what the /64 may
 * do counts for the /48, so a single /64 cannot use up what its neighbours have.
 */
export function createIpBuckets(limitStore: IpBuckets): IpBuckets {
  return {
    async take(rule, ip, now) {
      const waitSeconds = await limitStore.take(rule, ipNetwork(ip), now)
      const site = siteOf(ip)
      if (waitSeconds > 0 || site === null) return waitSeconds
      const siteWaitSeconds = await limitStore.take(siteRule(rule), site, now)
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
  return { name: `${name} of a /48`, burst: LIMITS.ipv6Site.rule.max * burst, seconds }
}
