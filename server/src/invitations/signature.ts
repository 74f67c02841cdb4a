import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Keys } from '../config/keys.ts'

type InvitationKeys = Pick<Keys, 'invitationKeys'>

const DAY_MS = 24 * 3_600_000
const DAYS = 30

/** Who sends a link, and to what it invites. */
export interface Signed {
  userId: string
  /** The company of that person, and of the circle. */
  domain: string
  /** The secret of the circle; null for the link of the company. */
  circle: string | null
}

/**
 * The signature of a link, 48 characters: who sends it, its last day, and a MAC of both with what is signed. Expires after 30 days, and does
 * not match another company, in which that person may be later. The same all day long.
 */
export function signLink({ invitationKeys: [key] }: InvitationKeys, { userId, ...signed }: Signed, now: Date): string {
  const head = Buffer.alloc(20)
  head.write(userId.replaceAll('-', ''), 'hex')
  head.writeUInt32BE(Math.floor(now.getTime() / DAY_MS) + DAYS, 16)
  return Buffer.concat([head, mac(key, head, signed)]).toString('base64url')
}

/** Whether this server has signed it, and it has not expired. In constant time. */
export function isSignatureOf(
  { invitationKeys }: InvitationKeys,
  signature: string,
  signed: Omit<Signed, 'userId'>,
  now: Date,
): boolean {
  const bytes = Buffer.from(signature, 'base64url')
  const [head, sent] = [bytes.subarray(0, 20), bytes.subarray(20)]
  const isRight = invitationKeys.map((key) => timingSafeEqual(mac(key, head, signed), sent)).includes(true)
  return isRight && Math.floor(now.getTime() / DAY_MS) <= head.readUInt32BE(16)
}

function mac(key: Buffer, head: Buffer, { domain, circle }: Omit<Signed, 'userId'>): Buffer {
  return createHmac('sha256', key)
    .update(head)
    .update(`${circle ?? ''} ${domain}`)
    .digest()
    .subarray(0, 16)
}
