import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { auditInsert } from '../auth/audit-insert.ts'
import { limitUnwatchedSessions } from '../auth/company/unwatched.ts'
import { type Db, statement } from '../db/db.ts'

/** The days for which the tokens before a new one still work, so that the company has time to enter it. */
export const ROTATION_DAYS = 7

const TOKEN = /^deeb_scim_[\w-]{43}$/

/* Of concurrent requests one notes the use, once a minute; the others do not wait for it. */
const find = statement(
  'scim.find-token',
  `with found as (
    select scim_tokens.id, provider_id, last_used_at
    from auth.scim_tokens join auth.sso_providers as provider on provider.id = provider_id
    where token_hash = :tokenHash and coalesce(expires_at > :now, true) and disabled_at is null
  ), due as (
    select scim_tokens.id from auth.scim_tokens join found on found.id = scim_tokens.id
    where coalesce(found.last_used_at < :now::timestamptz - interval '1 minute', true)
    for update of scim_tokens skip locked
  ), used as (
    update auth.scim_tokens set last_used_at = :now from due where scim_tokens.id = due.id
  )
  select provider_id as "providerId" from found`,
)

const readHashes = statement(
  'scim.read-token-hashes',
  `select token_hash as "tokenHash" from auth.scim_tokens where coalesce(expires_at > :now, true)
  order by last_used_at desc nulls last limit :max`,
)

/** The hashes of the tokens that still work, at most `max` of them. Those used last come first. */
export async function readTokenHashes(db: Db, max: number, now: Date): Promise<Buffer[]> {
  const rows = await db.query<{ tokenHash: Buffer }>(readHashes, { max, now })
  return rows.map(({ tokenHash }) => tokenHash)
}

/** The hash of a token; null for a text that cannot be one. */
export function hashOfToken(token: string | null): Buffer | null {
  return token !== null && TOKEN.test(token) ? hashOf(token) : null
}

/** The provider whose directory has the token of this hash; null if none has. */
export async function providerOfToken(db: Db, tokenHash: Buffer, now: Date): Promise<string | null> {
  const [found] = await db.query<{ providerId: string }>(find, { tokenHash, now })
  return found?.providerId ?? null
}

const add = statement(
  'scim.add-token',
  `with provider as (
    select id from auth.sso_providers where key = :key
  ), older as (
    update auth.scim_tokens set expires_at = :now::timestamptz + interval '${ROTATION_DAYS} days' from provider
    where provider_id = provider.id and expires_at is null
  ), made as (
    insert into auth.scim_tokens (id, provider_id, token_hash, created_at)
    select :id, provider.id, :tokenHash, :now from provider returning provider_id
  ), logged as (
    ${auditInsert({ action: "'scim_token_made'", userId: 'null', ip: 'null', detail: "jsonb_build_object('company', :key::text)", from: 'made' })}
  )
  select provider_id from made`,
)

/**
 * Makes a token for the directory of a company. The database stores only its hash. The tokens before it work for 7 more days. Null if
 * there is no such company.
 */
export async function makeScimToken(db: Db, key: string, now: Date): Promise<string | null> {
  const token = `deeb_scim_${randomBytes(32).toString('base64url')}`
  const made = await db.query(add, { id: randomUUID(), key, tokenHash: hashOf(token), now })
  return made.length === 0 ? null : token
}

const removeAll = statement(
  'scim.remove-tokens',
  `with provider as (
    select id from auth.sso_providers where key = :key
  ), gone as (
    delete from auth.scim_tokens using provider where provider_id = provider.id returning scim_tokens.id
  ), logged as (
    ${auditInsert({ action: "'company_changed'", userId: 'null', ip: 'null', detail: "jsonb_build_object('company', :key::text, 'scim', false)", from: 'provider' })}
  )
  select (select count(*)::int from gone) as count from provider`,
)

/**
 * Removes all tokens of the directory of a company and returns their number. Its company sessions that nothing checks any more end
 * within 24 hours. Null if there is no such company.
 */
export async function removeScimTokens(db: Db, key: string, now: Date): Promise<number | null> {
  const [removed] = await db.query<{ count: number }>(removeAll, { key, now })
  await limitUnwatchedSessions(db, now)
  return removed?.count ?? null
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
