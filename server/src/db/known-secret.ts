import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Keys, loadKeys } from '../config/keys.ts'
import { type Db, statement } from './db.ts'

const readState = statement(
  'secret.read-state',
  `select array(select encode(fingerprint, 'hex') from known_secrets) as known, exists (select from auth.users) as "hasAccounts"`,
)

const learn = statement(
  'secret.learn',
  'insert into known_secrets (fingerprint, first_used_at) values (:fingerprint, :now) on conflict do nothing',
)

const forgetOthers = statement('secret.forget-others', 'delete from known_secrets where fingerprint <> :fingerprint')

const COMMAND = 'If the old one is lost, run the administration command `secret lost`: its help says what that ends.'

/**
 * Loads the keys of the secret with which this database is used. A server on an empty database (`mayLearn`) creates and stores it; an
 * administration command only compares. Throws a sentence if the secret is missing or another one: with another one everybody would be
 * signed out, and keys that the right one encrypts would be replaced.
 */
export async function loadKnownKeys(
  config: Config,
  db: Db,
  { now, mayLearn }: { now: Date; mayLearn: boolean },
): Promise<Keys> {
  const { known, hasAccounts } = await stateOf(db)
  const keys = await loadKeys(config, { mayCreate: mayLearn && !hasAccounts && known.length === 0 })
  const where = config.secret === null ? join(config.dataDir, 'secret') : 'DEEB_SECRET'
  if (keys === null) throw new Error(`${where} is missing, but this database is in use. Restore it. ${COMMAND}`)
  const isKnown = keys.fingerprints.some((fingerprint) => known.includes(fingerprint.toString('hex')))
  if (known.length > 0 && !isKnown) {
    throw new Error(`This database was used with another secret than that of ${where}. Restore it. ${COMMAND}`)
  }
  if (!mayLearn) return keys
  await db.query(learn, { fingerprint: keys.fingerprints[0], now })
  // The rotation is over: the old secret alone must not start a server again.
  if (config.oldSecret === null) await db.query(forgetOthers, { fingerprint: keys.fingerprints[0] })
  return keys
}

/** Makes the current secret that of this database, after the old one was lost or stolen. Returns the lines to print. */
export async function acceptSecret(db: Db, config: Config, now: Date): Promise<string[]> {
  const keys = await loadKeys(config, { mayCreate: true })
  await db.transaction(async (db) => {
    await db.query(learn, { fingerprint: keys.fingerprints[0], now })
    await db.query(forgetOthers, { fingerprint: keys.fingerprints[0] })
  })
  return [
    'The next start uses the current secret. What the old one has signed or encrypted is lost:',
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
