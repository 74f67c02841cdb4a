import { type Db, statement } from '../../db/db.ts'
import { ipNetwork } from '../../limits/ip-network.ts'
import type { Caller } from '../http/caller.ts'

const FAMILIAR = "interval '90 days'"

/** SQL: the owner of a row of auth.users signed in from the network `:ipKey` in the 90 days before `:now`. */
export const IS_FAMILIAR = `exists (select from auth.known_addresses as known where known.user_id = users.id
    and known.ip_key = :ipKey and known.last_seen > :now::timestamptz - ${FAMILIAR})`

const remember = statement(
  'auth.remember-address',
  `with forgiven as (
    update auth.users set failed_attempts = 0 where id = :userId and failed_attempts > 0
  ), forgotten as (
    delete from auth.known_addresses
    where user_id = :userId and ip_key <> :ipKey and last_seen <= :now::timestamptz - ${FAMILIAR}
  )
  insert into auth.known_addresses (user_id, ip_key, last_seen) values (:userId, :ipKey, :now)
  on conflict (user_id, ip_key) do update set last_seen = excluded.last_seen`,
)

/**
 * To be called when somebody has proved to own the account: by the password, or by a link that was mailed. From now on
 * strangers who guess do not slow them down here, and past misses count no more.
 */
export async function rememberAddress(db: Db, userId: string, { ip }: Pick<Caller, 'ip'>, now: Date): Promise<void> {
  await db.query(remember, { userId, ipKey: ipNetwork(ip), now })
}
