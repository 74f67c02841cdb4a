import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { seal, tryUnseal } from '../auth/factors/seal.ts'
import type { Config } from '../config/config.ts'
import type { Keys } from '../config/keys.ts'
import { type Db, statement } from '../db/db.ts'

const CONTEXT = 'push-key'
/** RFC 8292 allows a day. */
const TOKEN_TTL_SECONDS = 12 * 3600

/** The key by which this server identifies itself to push services (VAPID). */
export interface PushKey {
  /** The key with which browsers subscribe, base64url. */
  publicKey: string
  /** The header `Authorization` for a request to a push service. */
  authorize(url: URL, now: Date): Promise<string>
}

export interface PushKeyDeps {
  db: Db
  keys: Pick<Keys, 'sealKeys'>
  config: Pick<Config, 'publicUrl'>
  now(): Date
}

const read = statement('push.read-key', 'select public_key as "publicKey", private_key as "sealed" from push_keys')

const insert = statement(
  'push.insert-key',
  `insert into push_keys (id, public_key, private_key, created_at) values (1, :publicKey, :sealed, :now)
  on conflict (id) do nothing`,
)

const renew = statement('push.renew-key', 'update push_keys set private_key = :renewed where private_key = :sealed')

/* Browsers have subscribed with the lost key: these subscriptions cannot be used any more. */
const replace = statement(
  'push.replace-key',
  `with lost as (delete from push_keys where private_key = :sealed returning 1)
  delete from push_subscriptions where exists (select from lost)`,
)

interface KeyRow {
  publicKey: Buffer
  sealed: Buffer
}

/**
 * Loads the key, and creates it at the first start. It is not derived from the secret of the server: a new secret would end every
 * subscription. A key that no secret of this server decrypts is replaced.
 */
export async function loadPushKey(deps: PushKeyDeps): Promise<PushKey> {
  const { db, keys, config } = deps
  const row = (await readKey(db)) ?? (await createKey(deps))
  const opened = tryUnseal(keys.sealKeys, row.sealed, CONTEXT)
  if (!opened) {
    await db.query(replace, { sealed: row.sealed })
    return loadPushKey(deps)
  }
  if (!tryUnseal([keys.sealKeys[0]], row.sealed, CONTEXT)) {
    await db.query(renew, { sealed: row.sealed, renewed: seal(keys.sealKeys[0], opened, CONTEXT) })
  }
  const publicKey = row.publicKey.toString('base64url')
  const privateKey = createPrivateKey({ key: opened, format: 'der', type: 'pkcs8' })
  return {
    publicKey,
    authorize: async (url, now) => `vapid t=${await sign(privateKey, url, config.publicUrl, now)}, k=${publicKey}`,
  }
}

async function readKey(db: Db): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(read)
  return row && { publicKey: Buffer.from(row.publicKey), sealed: Buffer.from(row.sealed) }
}

/** Creates the key of all servers. If several start concurrently, the first one does. */
async function createKey({ db, keys, now }: PushKeyDeps): Promise<KeyRow> {
  const made = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = made.publicKey.export({ format: 'jwk' })
  const publicKey = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  const sealed = seal(keys.sealKeys[0], made.privateKey.export({ format: 'der', type: 'pkcs8' }), CONTEXT)
  await db.query(insert, { publicKey, sealed, now: now() })
  return (await readKey(db)) ?? { publicKey, sealed }
}

function sign(privateKey: KeyObject, url: URL, publicUrl: string, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000)
  // The contact of this server; push services refuse a token without one.
  return new SignJWT({ sub: publicUrl })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(url.origin)
    .setExpirationTime(seconds + TOKEN_TTL_SECONDS)
    .sign(privateKey)
}
