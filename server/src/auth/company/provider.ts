import type { Keys } from '../../config/keys.ts'
import { type Db, lookup, statement } from '../../db/db.ts'
import { seal, tryUnseal, unseal } from '../factors/seal.ts'

/** An identity provider of a company. */
export interface Provider {
  id: string
  /** Part of the callback address. */
  key: string
  name: string
  issuer: string
  clientId: string
  /** Encrypted with `sealSecret`. */
  clientSecret: Buffer | null
  trustsEmail: boolean
  /** Whether all of its domains sign in by it only. */
  onlySso: boolean
  updatedAt: Date
}

const find = lookup(
  'auth.find-provider',
  `select id, key, name, issuer, client_id as "clientId", client_secret as "clientSecret", trusts_email as "trustsEmail",
    updated_at as "updatedAt",
    coalesce((select bool_and(only_sso) from auth.sso_domains where provider_id = sso_providers.id), false) as "onlySso"
  from auth.sso_providers where (id = :id::uuid or key = :key::text) and disabled_at is null`,
)

/** Whether a text has the form of a key, or of a domain. PostgreSQL rejects a zero byte, which anyone may send. */
export function isKey(text: string): boolean {
  return /^[a-z0-9.-]{1,253}$/.test(text)
}

/** Finds an enabled provider by its id or its key; null if there is none. */
export async function findProvider(db: Db, by: { id: string } | { key: string }): Promise<Provider | null> {
  if ('key' in by && !isKey(by.key)) return null
  const [provider] = await db.query<Provider>(find, { id: null, key: null, ...by })
  return provider ?? null
}

const contextOf = (providerId: string) => `sso-secret:${providerId}`

/** Encrypts the client secret of a provider for its row. */
export function sealSecret({ sealKeys }: Pick<Keys, 'sealKeys'>, providerId: string, secret: string): Buffer {
  return seal(sealKeys[0], Buffer.from(secret), contextOf(providerId))
}

const renew = statement(
  'auth.renew-client-secret',
  'update auth.sso_providers set client_secret = :renewed where id = :id and client_secret = :sealed',
)

/** Decrypts the client secret of a provider. One that an old server secret encrypted is encrypted again with the current one. */
export async function openSecret(
  db: Db,
  { sealKeys }: Pick<Keys, 'sealKeys'>,
  { id, clientSecret }: Pick<Provider, 'id' | 'clientSecret'>,
): Promise<string> {
  if (clientSecret === null) throw new Error('The company has no client secret.')
  const current = tryUnseal([sealKeys[0]], clientSecret, contextOf(id))
  if (current) return current.toString()
  const secret = unseal(sealKeys, clientSecret, contextOf(id)).toString()
  await db.query(renew, { id, sealed: clientSecret, renewed: sealSecret({ sealKeys }, id, secret) })
  return secret
}
