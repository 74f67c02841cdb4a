/** The header of every `/api` response that carries OLDEST_SAFE_CLIENT. */
export const OLDEST_CLIENT_HEADER = 'x-deeb-oldest-client'

/**
 * The oldest version of the web client that has no known vulnerability. Older ones update at the next navigation without
 * asking. Raise it only with a security fix of the client: see CONTRIBUTING.md.
 */
export const OLDEST_SAFE_CLIENT = '0.1.0'

/** `1.2.3` without leading zeros. The numbers are small enough to be exact. */
const RELEASE = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/

/** Whether the release `version` is older than the release `other`. False if either is not a release, such as a prerelease. */
export function isOlderVersion(version: string, other: string): boolean {
  const [, ...numbers] = RELEASE.exec(version) ?? []
  const [, ...others] = RELEASE.exec(other) ?? []
  const index = numbers.findIndex((number, index) => number !== others[index])
  // Comparing with a missing number (NaN) is false.
  return Number(numbers[index]) < Number(others[index])
}
