import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { calculateJwkThumbprint, decodeJwt, importJWK, type JWK, SignJWT } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

/** The client of deeb at the provider. */
export const CLIENT = { id: 'deeb', secret: 'a client secret of 32 characters' }

/** A person at the provider, with the claims of their ID token. */
export interface Employee {
  sub: string
  [claim: string]: unknown
}

/** The server of a company at which people sign in: a real OpenID Connect provider that listens on this machine. */
export interface IdentityProvider {
  issuer: string
  /** Whom the provider authenticates from now on, without a question. */
  authenticate(employee: Employee): void
  /** Opens an address of the provider as `employee`. Returns the redirect to deeb. */
  visit(url: string, employee: Employee): Promise<URL>
  /** Signs a token with the key of the provider, by default a logout token. */
  sign(claims: Record<string, unknown>, header?: { typ?: string; alg?: string }): Promise<string>
  /** Ends the sign-ins of a person at the provider, which tells deeb about it. */
  signOut(sub: string, sid: string): Promise<void>
  /** Replaces the signing key. */
  rotateKeys(): Promise<void>
  /** The faults of the provider. Replace it to change them. */
  faults: Faults
  /** The requests that it got, such as `POST /token`. */
  requests: string[]
  close(): Promise<void>
}

interface Faults {
  /** Requests get no answer. */
  isDown?: boolean
  /** Changes the claims of each ID token before it is signed. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Changes each signed ID token. */
  idToken?: (token: string) => string
  /** Refuses each refresh token. */
  refusesRefresh?: boolean
}

interface Options {
  /** Where the callbacks of deeb are. */
  callbacks: string[]
  /** Receives the logout tokens. */
  deliver?: (url: string, init: { body: string }) => Promise<Response>
  hasRefreshTokens?: boolean
}

/** Starts a provider. */
export async function startIdentityProvider(options: Options): Promise<IdentityProvider> {
  const people = new Map<string, Employee>()
  const requests: string[] = []
  let current: Employee | null = null
  let listener: RequestListener = (_, response) => response.end()
  const server = createServer((request, response) => {
    if (made.faults.isDown) return void request.socket.destroy()
    requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    return listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  let key = await makeKey()
  let provider = makeProvider()

  function makeProvider(): Provider {
    const provider = new Provider(issuer, configuration(key, people, options))
    provider.use(async (ctx, next) => {
      if (ctx.path.startsWith('/interaction/') && current) {
        const login = { accountId: current.sub, ...(Array.isArray(current.amr) && { amr: current.amr as string[] }) }
        await provider.interactionFinished(ctx.req, ctx.res, { login }, { mergeWithLastSubmission: false })
        ctx.respond = false
        return
      }
      if (ctx.path === '/token' && made.faults.refusesRefresh) {
        ctx.status = 400
        ctx.body = { error: 'invalid_grant' }
        return
      }
      await next()
      const body = ctx.body as { id_token?: string } | undefined
      if (ctx.path === '/token' && body?.id_token) ctx.body = { ...body, id_token: await tampered(body.id_token) }
    })
    listener = provider.callback()
    return provider
  }

  /** The ID token with all claims of the person, and with the faults. */
  async function tampered(token: string): Promise<string> {
    const issued = decodeJwt(token)
    const claims = { ...issued, ...people.get(issued.sub ?? '') }
    const signed = await sign(made.faults.claims?.(claims) ?? claims, { typ: 'JWT' })
    return made.faults.idToken?.(signed) ?? signed
  }

  async function sign(claims: Record<string, unknown>, { typ = 'logout+jwt', alg = 'RS256' } = {}): Promise<string> {
    const header = { alg, typ, kid: String(key.kid) }
    return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key, 'RS256'))
  }

  const made: IdentityProvider = {
    issuer,
    faults: {},
    requests,
    sign,
    authenticate(employee) {
      people.set(employee.sub, employee)
      current = employee
    },
    async visit(url, employee) {
      made.authenticate(employee)
      return follow(url, issuer)
    },
    async signOut(sub, sid) {
      const client = (await provider.Client.find(CLIENT.id)) as unknown as {
        backchannelLogout(sub: string, sid: string): Promise<void>
      }
      await client.backchannelLogout(sub, sid)
    },
    async rotateKeys() {
      key = await makeKey()
      provider = makeProvider()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return made
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' }) as JWK
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'RS256', use: 'sig' }
}

function configuration(
  key: JWK,
  people: ReadonlyMap<string, Employee>,
  { callbacks, deliver, hasRefreshTokens = true }: Options,
): Configuration {
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: callbacks,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
        backchannel_logout_uri: callbacks[0]?.replace('/callback/', '/backchannel-logout/') ?? '',
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key as never] },
    cookies: { keys: [randomUUID()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    scopes: hasRefreshTokens ? ['openid', 'offline_access'] : ['openid'],
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile offline_access')
      await grant.save()
      return grant
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    ttl: { AccessToken: 3600, Grant: 86_400, IdToken: 3600, Interaction: 3600, RefreshToken: 86_400, Session: 86_400 },
    issueRefreshToken: async () => hasRefreshTokens,
  }
  // Missing in the types.
  return Object.assign(configuration, deliver && { fetch: (url: string, init: { body: string }) => deliver(url, init) })
}

/** Follows the redirects of the provider with its cookies, to the first address elsewhere. */
async function follow(from: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(from)
  for (let hop = 0; hop < 10 && url.origin === issuer; hop++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]?.split(/=(.*)/s) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
    url = new URL(location, url)
  }
  return url
}
