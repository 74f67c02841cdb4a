import { createHmac, timingSafeEqual } from 'node:crypto'
import { UNSUBSCRIBE_PATH } from '@deeb/core/paths'
import type { Config } from '../config/config.ts'
import type { Keys } from '../config/keys.ts'

type UnsubscribeKeys = Pick<Keys, 'unsubscribeKeys'>

/**
 * The URL that stops emails about connection requests to a user. It works for as long as the account and the secret, and for nothing
 * else: the key signs only these links.
 */
export function unsubscribeUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { unsubscribeKeys: [key] }: UnsubscribeKeys,
  userId: string,
): string {
  return `${publicUrl}${UNSUBSCRIBE_PATH}?token=${sign(key, userId)}`
}

/** The user of a link, by its parsed query. Null if no key of this server signed it. */
export function userOfLink({ unsubscribeKeys }: UnsubscribeKeys, query: unknown): string | null {
  const { token } = query as { token?: unknown }
  if (typeof token !== 'string') return null
  const [userId = ''] = token.split('.')
  return unsubscribeKeys.some((key) => isEqual(token, sign(key, userId))) ? userId : null
}

/** `<user id>.<HMAC-SHA256, base64url>` */
function sign(key: Buffer, userId: string): string {
  return `${userId}.${createHmac('sha256', key).update(userId).digest('base64url')}`
}

/** In constant time for texts of the same length. */
function isEqual(one: string, other: string): boolean {
  const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}
