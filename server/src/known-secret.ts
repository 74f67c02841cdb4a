import { join } from 'node:path'
import type { Config } from './config.ts'
import { type Db, statement } from './db/db.ts'
import { type Keys, loadKeys } from './keys.ts'

const readState = statement(
  'secret.read-state',
  `select array(select encode(fingerprint, 'hex') from known_secrets) as known, exists (select from auth.users) as "hasAccounts"`,
)

const learn = statement(
  'secret.learn',
  'insert into known_secrets (fingerprint, first_used_at) values (:fingerprint, :now) on conflict do nothing',
)

const forgetAll = statement('secret.forget-all', 'delete from known_secrets')

const COMMAND = 'If the old one is lost, run the administration command `secret lost`: its help says what that ends.'

/**
 * Loads the keys of the secret with which this database is used. An empty database learns the secret, or creates one. Throws a sentence
 * if accounts exist and the secret is missing or another one: with another one everybody would be signed out, and the keys that
 * are encrypted with the right one would be replaced.
 */
export async function loadKnownKeys(config: Config, db: Db, now: Date): Promise<Keys> {
  const { known, hasAccounts } = await stateOf(db)
  const keys = await loadKeys(config, { mayCreate: !hasAccounts })
  if (keys === null) {
    throw new Error(
      `${join(config.dataDir, 'secret')} is missing, but the database has accounts. Restore it. ${COMMAND}`,
    )
  }
  const isKnown = keys.fingerprints.some((fingerprint) => known.includes(fingerprint.toString('hex')))
  if (known.length > 0 && hasAccounts && !isKnown) {
    const where = config.secret === null ? join(config.dataDir, 'secret') : 'DEEB_SECRET'
    throw new Error(
      `The accounts of this database were made with another secret than that of ${where}. Restore it. ${COMMAND}`,
    )
  }
  if (known.length > 0 && !isKnown) await db.query(forgetAll)
  await db.query(learn, { fingerprint: keys.fingerprints[0], now })
  return keys
}

/** Makes the secret of today the one of this database, for a person who has lost the old one or must not use it again. */
export async function acceptSecret(db: Db, config: Config, now: Date): Promise<string[]> {
  const keys = await loadKeys(config, { mayCreate: true })
  await db.transaction(async (db) => {
    await db.query(forgetAll)
    await db.query(learn, { fingerprint: keys.fingerprints[0], now })
  })
  return [
    'The next start uses the secret of today. What the old one has signed or encrypted is lost:',
    '- Everybody signs in again.',
    '- Second factors by an app and recovery codes do not work: user factors remove EMAIL.',
    '- Companies need their client secret again: company secret KEY.',
    '- Push messages are switched on again by each person; webhooks and chats are connected again.',
  ]
}

async function stateOf(db: Db): Promise<{ known: string[]; hasAccounts: boolean }> {
  const [state] = await db.query<{ known: string[]; hasAccounts: boolean }>(readState)
  if (!state) throw new Error('The database does not answer.')
  return state
}
