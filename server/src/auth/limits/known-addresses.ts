import { type Db, statement } from '../../db/db.ts'
import { ipNetwork } from '../../limits/ip-network.ts'
import type { Caller } from '../http/caller.ts'

const FAMILIAR = "interval '90 days'"

/** SQL: the person `userId`, a column, signed in from the key of an address in the 90 days before `now`. */
export function isFamiliarAt(userId: string, key: string, now: string): string {
  return `exists (select from auth.known_addresses as known where known.user_id = ${userId}
    and known.ip_key = ${key} and known.last_seen > ${now}::timestamptz - ${FAMILIAR})`
}

const remember = statement(
  'auth.remember-address',
  `with forgiven as (
    update auth.users set failed_attempts = 0 where id = $1 and failed_attempts > 0
  ), forgotten as (
    delete from auth.known_addresses
    where user_id = $1 and ip_key <> $2 and last_seen <= $3::timestamptz - ${FAMILIAR}
  )
  insert into auth.known_addresses (user_id, ip_key, last_seen) values ($1, $2, $3)
  on conflict (user_id, ip_key) do update set last_seen = excluded.last_seen`,
)

/**
 * To be called when somebody has proved to own the account: by the password, or by a link that was mailed. From now on
 * strangers who guess do not slow them down here, and past misses count no more.
 */
export async function rememberAddress(db: Db, userId: string, { ip }: Pick<Caller, 'ip'>, now: Date): Promise<void> {
  await db.query(remember, [userId, ipNetwork(ip), now])
}
