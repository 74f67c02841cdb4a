import { seal, tryUnseal } from '../auth/factors/seal.ts'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'
import { type Adapter, ChatError, type Credentials } from './adapter.ts'

type SealKeys = Pick<Keys, 'sealKeys'>

/** An access token that ends within this time is renewed first. */
const RENEW_BEFORE_MS = 120_000

export function sealCredentials({ sealKeys }: SealKeys, linkId: string, credentials: Credentials): Buffer {
  return sealJson({ sealKeys }, contextOf(linkId), credentials)
}

/** Null if no secret of this server decrypts them. */
function openCredentials(keys: SealKeys, linkId: string, sealed: Buffer): Credentials | null {
  return openJson<Credentials>(keys, contextOf(linkId), sealed)
}

export function sealJson({ sealKeys }: SealKeys, context: string, value: object): Buffer {
  return seal(sealKeys[0], Buffer.from(JSON.stringify(value)), context)
}

export function openJson<Value>({ sealKeys }: SealKeys, context: string, sealed: Buffer): Value | null {
  const text = tryUnseal(sealKeys, Buffer.from(sealed), context)?.toString()
  return text === undefined ? null : JSON.parse(text)
}

const contextOf = (linkId: string) => `status:${linkId}`

/* One server renews the tokens of a link: some systems accept each refresh token once. */
const lock = statement(
  'status.lock-refresh',
  `update status_links set refreshing_until = :now::timestamptz + interval '30 seconds'
  where id = :linkId and credentials is not null and (refreshing_until is null or refreshing_until <= :now::timestamptz)
  returning credentials`,
)

const save = statement(
  'status.save-refreshed',
  'update status_links set credentials = :sealed, refreshing_until = null where id = :linkId and credentials is not null',
)

const unlock = statement('status.unlock-refresh', 'update status_links set refreshing_until = null where id = :linkId')

/* Encrypts with the new secret after a rotation, unless the tokens have changed since. */
const reseal = statement(
  'status.reseal',
  'update status_links set credentials = :resealed where id = :linkId and credentials = :sealed',
)

interface FreshDeps {
  db: Db
  keys: SealKeys
  now(): Date
  /** The renewals that run in this process, by the id of their link: its signals share one (single-flight). */
  renewals: Map<string, Promise<Credentials>>
}

interface SealedLink {
  linkId: string
  credentials: Buffer
}

/**
 * The credentials of a link with an access token that is valid for some minutes, renewed if necessary or if `isRefused`. Throws
 * `ChatError`: `relink` if they cannot be decrypted or the system refuses them, `retry` while another server renews them.
 */
export async function freshCredentials(
  deps: FreshDeps,
  adapter: Adapter,
  link: SealedLink,
  { isRefused = false } = {},
): Promise<Credentials> {
  const credentials = openCredentials(deps.keys, link.linkId, link.credentials)
  if (!credentials) throw new ChatError('relink', 'the tokens cannot be decrypted')
  if (!tryUnseal([deps.keys.sealKeys[0]], Buffer.from(link.credentials), contextOf(link.linkId))) {
    const resealed = sealCredentials(deps.keys, link.linkId, credentials)
    await deps.db.query(reseal, { linkId: link.linkId, sealed: link.credentials, resealed })
  }
  if (!isRefused && isFresh(credentials, deps.now())) return credentials
  const { renewals } = deps
  const renewing =
    renewals.get(link.linkId) ??
    renew(deps, adapter, link.linkId, credentials).finally(() => renewals.delete(link.linkId))
  renewals.set(link.linkId, renewing)
  return renewing
}

async function renew(
  { db, keys, now }: FreshDeps,
  { oauth }: Adapter,
  linkId: string,
  credentials: Credentials,
): Promise<Credentials> {
  if (!oauth?.refresh || !credentials.refreshToken) throw new ChatError('relink', 'the token has expired')
  const [locked] = await db.query<{ credentials: Buffer }>(lock, { linkId, now: now() })
  if (!locked) throw new ChatError('retry', 'the tokens are being renewed')
  try {
    // They may have been renewed since the claim.
    const newest = openCredentials(keys, linkId, locked.credentials) ?? credentials
    if (newest.accessToken !== credentials.accessToken && isFresh(newest, now())) return newest
    const renewed = { ...newest, ...(await oauth.refresh(newest, now())) }
    await db.query(save, { linkId, sealed: sealCredentials(keys, linkId, renewed) })
    return renewed
  } finally {
    await db.query(unlock, { linkId })
  }
}

function isFresh({ expiresAtMs }: Credentials, now: Date): boolean {
  return expiresAtMs === undefined || expiresAtMs - now.getTime() > RENEW_BEFORE_MS
}
