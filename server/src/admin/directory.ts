import type { Config } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { makeScimToken, ROTATION_DAYS, removeScimTokens } from '../scim/token.ts'

/** Makes a token for the directory of a company (SCIM) and prints it once. Older ones work for 7 more days. Throws if there is no such company. */
export async function printScimToken(
  db: Db,
  key: string,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  now: Date,
): Promise<string[]> {
  const token = await makeScimToken(db, key, now)
  if (token === null) throw unknown(key)
  return [
    `Enter these two in the directory of ${key}. The token is shown only now; those before it work for ${ROTATION_DAYS} more days.`,
    `Address: ${publicUrl}/scim/v2`,
    `Token:   ${token}`,
  ]
}

/** Removes all tokens of the directory of a company. Throws if there is no such company. */
export async function switchScimOff(db: Db, key: string, now: Date): Promise<string[]> {
  const count = await removeScimTokens(db, key, now)
  if (count === null) throw unknown(key)
  return [
    `Removed ${count} ${count === 1 ? 'token' : 'tokens'} of ${key}. Its directory can no longer change anything.`,
  ]
}

function unknown(key: string): Error {
  return new Error(`There is no company ${key}.`)
}
