/** Sent with every `/api` answer: OLDEST_SAFE_CLIENT. */
export const OLDEST_CLIENT_HEADER = 'x-deeb-oldest-client'

/**
 * The oldest version of the web client that has no known vulnerability. Older ones update at the next navigation without
 * asking. Raise it only together with a security fix of the client: CONTRIBUTING.md.
 */
export const OLDEST_SAFE_CLIENT = '0.1.0'

/** `1.2.3`, without leading zeros, with numbers that are exact. */
const RELEASE = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/

/** Whether the release `version` is older than the release `other`. False if either is not a release, a prerelease included. */
export function isOlderVersion(version: string, other: string): boolean {
  const [, ...numbers] = RELEASE.exec(version) ?? []
  const [, ...others] = RELEASE.exec(other) ?? []
  const index = numbers.findIndex((number, index) => number !== others[index])
  // Where a number is missing this compares NaN, which is false.
  return Number(numbers[index]) < Number(others[index])
}
