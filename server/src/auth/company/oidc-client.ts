import { randomUUID } from 'node:crypto'
import type { JWTVerifyGetKey } from 'jose'
import type { ClientAuth, Configuration } from 'openid-client'
import type { Config } from '../../config/config.ts'
import type { Keys } from '../../config/keys.ts'
import { isLoopback } from '../../config/loopback.ts'
import type { Db } from '../../db/db.ts'
import { AuthError } from '../http/auth-error.ts'
import { findProvider, openSecret, type Provider } from './provider.ts'

const TIMEOUT_SECONDS = 5

/** The metadata of a provider is read again after this time, so that a provider that is down is noticed. */
const TTL_MS = 5 * 60_000

/** A provider that does not answer is not asked again for this long: each question may wait for the whole timeout. */
const RETRY_AFTER_MS = 5_000

/** Logout tokens with an unknown key read the keys of the provider again at most this often. */
const READ_KEYS_EVERY_MS = 1_000

type Library = typeof import('openid-client')

/** The OpenID Connect client of one provider. It follows no redirects and waits 5 seconds for each answer. */
export interface OidcClient {
  library: Library
  config: Configuration
  /** The public keys of the provider, for jose. An unknown key reads them again. */
  keys: JWTVerifyGetKey
}

/** The clients of all providers of this process. */
export interface OidcClients {
  /** The client of a provider. Rejects if the provider does not answer or says that it is another one. */
  of(provider: Provider): Promise<OidcClient>
  /** Counts a sign-in that failed because of the provider. */
  countFailure(): void
  failures(): number
}

interface CacheEntry {
  client: Promise<OidcClient>
  madeAtMs: number
  hasFailed: boolean
  /** The time at which the row of the provider was changed last. */
  version: number
}

/** Creates the clients, with a cache of five minutes. The library is imported at the first use: few servers need it. */
export function createOidcClients({ db, keys, now }: { db: Db; keys: Keys; now(): Date }): OidcClients {
  // Single-flight: caches the promise. One entry per provider, which only the administrator adds.
  const cache = new Map<string, CacheEntry>()
  let failures = 0

  function isFresh({ madeAtMs, hasFailed, version }: CacheEntry, provider: Provider): boolean {
    // The absolute value, because after the clock was set back an entry seems to be from the future.
    const age = Math.abs(now().getTime() - madeAtMs)
    return version === provider.updatedAt.getTime() && age < (hasFailed ? RETRY_AFTER_MS : TTL_MS)
  }

  return {
    of(provider) {
      const cached = cache.get(provider.id)
      if (cached && isFresh(cached, provider)) return cached.client
      const client = openSecret(db, keys, provider)
        .then((secret) => discover(provider, secret))
        .catch((error: Error) => {
          throw new Error(reasonOf(error))
        })
      const [madeAtMs, version] = [now().getTime(), provider.updatedAt.getTime()]
      const entry = { client, madeAtMs, hasFailed: false, version }
      cache.set(provider.id, entry)
      client.catch(() => {
        entry.hasFailed = true
      })
      return client
    },
    countFailure() {
      failures += 1
    },
    failures: () => failures,
  }
}

/** Errors of a provider about this server's client id or secret, such as a secret that has expired. */
export const REFUSES_CLIENT = ['invalid_client', 'unauthorized_client']

/**
 * Asks the provider to exchange a code that it never gave: whether it knows this server's client, which it checks first. Null if so, else
 * its reason.
 */
export async function clientRefusal({ library, config }: OidcClient, redirectUri: string): Promise<string | null> {
  const code = { code: randomUUID(), redirect_uri: redirectUri, code_verifier: library.randomPKCECodeVerifier() }
  return library.genericGrantRequest(config, 'authorization_code', code).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof library.ResponseBodyError)) throw error
      return REFUSES_CLIENT.includes(error.error)
        ? `${error.error}: ${error.error_description ?? 'no reason given'}`
        : null
    },
  )
}

/** The message of an error with the code of its cause, such as `fetch failed (ECONNREFUSED)`. */
function reasonOf({ message, cause }: Error): string {
  const { code } = (cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? `${message} (${code})` : message
}

/** Clients, and the log in which the administrator sees why a provider cannot be used. */
interface ClientDeps {
  oidc: OidcClients
  logError(error: unknown, what: string): void
}

/** The client of a provider. Throws `unexpected_failure` (503) and logs why if the provider does not answer. */
export async function requireClient({ oidc, logError }: ClientDeps, provider: Provider): Promise<OidcClient> {
  try {
    return await oidc.of(provider)
  } catch (error) {
    oidc.countFailure()
    logError(error, `the identity provider of ${provider.key} cannot be used`)
    const message = `The sign-in of ${provider.name} does not answer right now. Try again shortly.`
    throw new AuthError('unexpected_failure', { message })
  }
}

/** Logs a warning if the provider of the settings does not answer. Never rejects: the server works without it. */
export async function warnIfSilent(company: ClientDeps & { config: Config; db: Db }): Promise<void> {
  const [key = ''] = company.config.company?.domains ?? []
  const provider = await findProvider(company.db, { key }).catch(() => null)
  if (provider) await requireClient(company, provider).catch(() => undefined)
}

/** Reads what a provider says about itself. Rejects if it does not answer, or names another issuer. */
async function discover({ issuer, clientId }: Provider, secret: string): Promise<OidcClient> {
  const [library, jose] = await Promise.all([import('openid-client'), import('jose')])
  const { protocol, hostname } = new URL(issuer)
  // Settings and the admin CLI accept http on this machine only.
  const isLocal = protocol === 'http:' && isLoopback(hostname)
  const config = await library.discovery(new URL(issuer), clientId, {}, authenticateBy(library, secret), {
    timeout: TIMEOUT_SECONDS,
    execute: [library.enableNonRepudiationChecks, ...(isLocal ? [library.allowInsecureRequests] : [])],
  })
  const { issuer: named, jwks_uri } = config.serverMetadata()
  // The library accepts some issuers that many organizations share.
  if (new URL(named).href !== new URL(issuer).href) throw new Error(`The provider says that it is ${named}.`)
  if (!jwks_uri) throw new Error('The provider publishes no keys.')
  const keysUrl = new URL(jwks_uri)
  if (keysUrl.protocol !== 'https:' && !isLocal) throw new Error('The provider publishes its keys without https.')
  const keys = jose.createRemoteJWKSet(keysUrl, {
    timeoutDuration: TIMEOUT_SECONDS * 1000,
    cooldownDuration: READ_KEYS_EVERY_MS,
  })
  return { library, config, keys }
}

/** Sends the secret in the body where the provider accepts that, else in the header, which is the default of the specification. */
function authenticateBy({ ClientSecretBasic, ClientSecretPost }: Library, secret: string): ClientAuth {
  const [inBody, inHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)]
  return (server, client, body, headers) => {
    const isInBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
    return (isInBody ? inBody : inHeader)(server, client, body, headers)
  }
}
