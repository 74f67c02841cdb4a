/**
 * SQL: of the sign-ups that wait for an address, the one that a caller means: from its own network, else the newest.
 * Anyone can sign up any address, so the newest is often not the caller's.
 */
export function meantBy(callerNetwork: string): string {
  return `order by caller_network is not distinct from ${callerNetwork} desc, created_at desc, id limit 1`
}
