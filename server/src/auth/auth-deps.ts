import type { CompanyPolicy } from '@deeb/core/account/company'
import type { Config } from '../config/config.ts'
import type { Keys } from '../config/keys.ts'
import type { Db } from '../db/db.ts'
import type { Publish } from '../lib/event-bus.ts'
import { once } from '../lib/once.ts'
import type { RateLimitStore } from '../limits/rate-limit-store.ts'
import { loadCompanyPolicy } from '../profile/company-policy.ts'
import { type AccessTokens, createAccessTokens } from './auth-session/access-token.ts'
import { createSessionAlive, type SessionAlive } from './auth-session/session-alive.ts'
import { createOidcClients, type OidcClients } from './company/oidc-client.ts'
import { type AuthLimits, createAuthLimits } from './limits/auth-limits.ts'
import { createGuesses } from './limits/guesses.ts'
import { loadCommonPasswords } from './password/common-passwords.ts'
import { createPasswords, type Passwords } from './password/hashing.ts'
import type { PasswordPolicy } from './password/new-password.ts'
import { createTokenAlive, type TokenAlive } from './personal-tokens/token-alive.ts'

/** Services of the server that the account service needs. */
export interface AuthServices {
  config: Config
  db: Db
  keys: Keys
  /** Call `kick` after each commit that may have written to the outbox. */
  mailer: { kick(): void }
  /** Publishes change events. Call it after the commit. */
  publish: Publish
  /** The state of the rate limits. */
  limitStore: RateLimitStore
  now(): Date
}

/** The dependencies of every flow of the account service. One per process, because it contains the caches. */
export interface AuthDeps extends AuthServices {
  accessTokens: AccessTokens
  sessionAlive: SessionAlive
  tokenAlive: TokenAlive
  limits: AuthLimits
  /** The clients of the identity providers of companies. */
  oidc: OidcClients
  passwords: Passwords
  passwordPolicy: PasswordPolicy
  /** Loaded at first use: only sign-ups and changes of address need it. */
  companyPolicy(): Promise<CompanyPolicy>
}

export async function createAuthDeps(services: AuthServices): Promise<AuthDeps> {
  const { config, db, keys, mailer, publish, limitStore, now } = services
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
    tokenAlive: createTokenAlive(db, limitStore),
    limits: createAuthLimits(limitStore, createGuesses(db, keys)),
    oidc: createOidcClients({ db, keys, now }),
    passwords: createPasswords(config.argon2),
    passwordPolicy: { minLength: config.passwordMinLength, commonPasswords: await loadCommonPasswords() },
    companyPolicy: once(() => loadCompanyPolicy(config)),
  }
}
