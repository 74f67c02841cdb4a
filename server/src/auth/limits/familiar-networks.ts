import { type Db, statement } from '../../db/db.ts'
import { ipNetwork } from '../../limits/ip-network.ts'
import type { Call } from '../http/caller.ts'

const FAMILIAR = "interval '90 days'"

/**
 * SQL: `:ipKey` is a familiar network of a row of auth.users: its owner signed in from there in the 90 days before `:now`. Familiar
 * networks are exempt from the limits that a stranger's brute force uses up, so that nobody can lock the owner out.
 */
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
 * Makes the caller's network familiar and resets the failed attempts of the account. Call it after a user has proved to own the
 * account, by the password or an email link.
 */
export async function rememberNetwork(db: Db, userId: string, { caller: { ip }, now }: Call): Promise<void> {
  await db.query(remember, { userId, ipKey: ipNetwork(ip), now })
}
