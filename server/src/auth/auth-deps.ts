import type { CompanyPolicy } from '@deeb/core/account/company'
import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import type { Publish } from '../event-bus.ts'
import type { Keys } from '../keys.ts'
import type { RateLimitStore } from '../limits/rate-limit-store.ts'
import { loadCompanyPolicy } from '../profile/company-policy.ts'
import { type AccessTokens, createAccessTokens } from './auth-session/access-token.ts'
import { createSessionAlive, type SessionAlive } from './auth-session/session-alive.ts'
import { type AuthLimits, createAuthLimits } from './limits/auth-limits.ts'
import { loadCommonPasswords } from './password/common-passwords.ts'
import { createPasswords, type Passwords } from './password/hashing.ts'
import type { PasswordPolicy } from './password/new-password.ts'

/** What the account service needs from the rest of the server. */
export interface AuthSurroundings {
  config: Config
  db: Db
  keys: Keys
  /** Told after each commit that may have left mail to send. */
  mailer: { kick(): void }
  /** Told after each commit that others may want to hear of. */
  publish: Publish
  /** What limits count with. */
  limitStore: RateLimitStore
  now(): Date
}

/** What every flow of the account service is given. One per process: the caches are in here. */
export interface AuthDeps extends AuthSurroundings {
  accessTokens: AccessTokens
  sessionAlive: SessionAlive
  limits: AuthLimits
  passwords: Passwords
  passwordPolicy: PasswordPolicy
  /** Read when it is first asked for: most starts of a server are for people who have an account. */
  companyPolicy(): Promise<CompanyPolicy>
}

export async function createAuthDeps(surroundings: AuthSurroundings): Promise<AuthDeps> {
  const { config, db, keys, mailer, publish, limitStore, now } = surroundings
  return {
    config,
    db,
    keys,
    mailer,
    publish,
    limitStore,
    now,
    accessTokens: createAccessTokens(keys, config.publicUrl),
    sessionAlive: createSessionAlive(db, publish),
    limits: createAuthLimits(limitStore),
    passwords: createPasswords(config.argon2),
    passwordPolicy: { fewestCharacters: config.passwordMinLength, commonPasswords: await loadCommonPasswords() },
    companyPolicy: once(() => loadCompanyPolicy(config)),
  }
}

/** What `load` gives, loaded once; anew after it failed. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
